#!/usr/bin/env bash
# Drives the MCP interface of the development server with clients of other makers: the official Python client
# (mcp, from PyPI) and the command line of the official inspector (from npm), over the newest revision of the
# protocol and over the one before.
#
# Needs cargo, curl and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh

proof=infra/proof/mcp
use_node
use_modules $proof
use_python $proof/requirements.txt --no-deps
serve --unlimited

mcp=$(field baseUrl <<< "$banner")/mcp

# From a bare request to a token, as a client finds its way.
metadata=$(curl -si -X POST "$mcp" | sed -n 's/.*resource_metadata="\([^"]*\)".*/\1/p')
resource=$(curl -s "$metadata" | field resource)
issuer=$(curl -s "$metadata" | field authorization_servers.0)
endpoint=$(curl -s "$issuer/.well-known/openid-configuration" | field token_endpoint)
id=$(field oauth.clientId <<< "$banner")
secret=$(field oauth.clientSecret <<< "$banner")
token=$(curl -s -u "$id:$secret" "$endpoint" -d grant_type=client_credentials \
  --data-urlencode "resource=$resource" | field access_token)
[ "$resource" = "$mcp" ] || { echo "FAIL the resource is $resource, not $mcp"; exit 1; }

echo "the official Python client"
"$venv/bin/python" "$proof/client.py" "$mcp" "$token"

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
inspect "an answer is checked" '"failed"' --method tools/call --tool-name run_prompt_checks \
  --tool-arg 'prompt=Describe our tea in at most 3 words.' --tool-arg 'outputs=["A quiet green tea."]'
inspect "prompts are listed" '"prompts"' --method prompts/list
inspect "resources are listed" 'prompt-workflow://models' --method resources/list
inspect "a resource is read" 'Universal' --method resources/read --uri prompt-workflow://models
echo "mcp proof: passed"
