#!/usr/bin/env bash
# Calls the service with access tokens of an authorization server of another maker: oidc-provider, from npm,
# on loopback. It finds its way from a bare request to a token as any client does, by RFC 9728 and RFC 8414.
#
# Needs cargo, curl and python3.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh

use_node
use_modules infra/proof/oauth

# Modules are looked for beside the file that needs them.
cp infra/proof/oauth/provider.mjs "$modules/provider.mjs"

port=$(free_port)
issuer=http://127.0.0.1:$port
"$node" "$modules/provider.mjs" "$port" > "$scratch/provider" 2> "$scratch/provider.log" &
started+=($!)
written "$scratch/provider"
OAUTH_ISSUERS=$issuer OAUTH_AUDIENCE=https://named.example/api serve
api=$(field baseUrl <<< "$banner")

# expect <what> <expected> <actual>
expect() {
  if [ "$2" != "$3" ]; then
    echo "FAIL $1: expected $2, got $3"
    cat "$scratch"/*.log
    exit 1
  fi
  echo "ok   $1: $3"
}
# status <token> <path>
status() { curl -s -o "$scratch/answer" -w '%{http_code}' -H "Authorization: Bearer $1" "$api$2"; }

metadata=$(curl -si "$api/usage" | sed -n 's/.*resource_metadata="\([^"]*\)".*/\1/p')
resource=$(curl -s "$metadata" | field resource)
expect "the resource" "$api" "$resource"
found=$(curl -s "$metadata" | field authorization_servers.0)
expect "its authorization server" "$issuer" "$found"
endpoint=$(curl -s "$found/.well-known/openid-configuration" | field token_endpoint)

# token <client> <scope> <resource>
token() {
  curl -s -u "$1:proof" "$endpoint" -d grant_type=client_credentials \
    --data-urlencode "scope=$2" --data-urlencode "resource=$3" | field access_token
}
for algorithm in RS256 ES256; do
  token=$(token $algorithm "usage:read history:read" "$resource")
  expect "$algorithm: capabilities" 200 "$(status "$token" /capabilities)"
  expect "$algorithm: credential" oauth "$(field data.credential.type < "$scratch/answer")"
  expect "$algorithm: subject" $algorithm "$(field data.credential.subject < "$scratch/answer")"
  expect "$algorithm: plan" free "$(field data.plan < "$scratch/answer")"
  expect "$algorithm: scope that it has" 200 "$(status "$token" /history)"
  expect "$algorithm: scope that it lacks" 403 "$(status "$token" /operations)"
  narrow=$(token $algorithm usage:read "$resource")
  expect "$algorithm: narrower token" 403 "$(status "$narrow" /history)"
  expect "$algorithm: altered token" 401 "$(status "${token%?????}AAAAA" /history)"
  expect "$algorithm: token without signature" 401 "$(status "${token%.*}." /history)"
  named=$(token $algorithm usage:read https://named.example/api)
  expect "$algorithm: token for the API by its other name" 200 "$(status "$named" /usage)"
  other=$(token $algorithm usage:read https://other.example/api)
  expect "$algorithm: token for another API" 401 "$(status "$other" /usage)"
done
echo "oauth proof: passed"
