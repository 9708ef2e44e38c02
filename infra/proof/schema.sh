#!/usr/bin/env bash
# Holds the service to its own OpenAPI document: schemathesis sends what the document allows and what it forbids, with
# identifiers of resources that exist and callers of several rights (schema/hooks.py). Whatever it sends, an answer has
# a status, a type, headers and a body that the document declares, and no error is the service's own.
#
#   infra/proof/schema.sh              at least 10,000 requests
#   infra/proof/schema.sh 100000       at least so many: an hour or more
#   SEED=7 infra/proof/schema.sh       other ones
#
# It ends after ten minutes and a quarter of a second for each request, finished or not. 6,573 took 8.5 minutes on two
# busy cores.
#
# Needs cargo, curl and python3 (3.11 or later).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh
least=${1:-10000}
seed=${SEED:-1}
use_python infra/proof/requirements-schema.txt --no-deps
serve --unlimited --allow-loopback

API=$(field baseUrl <<< "$banner") KEY=$(field apiKey <<< "$banner")
TOKEN_URL=$(field oauth.tokenUrl <<< "$banner") CLIENT=$(field oauth.clientId <<< "$banner")
CLIENT_SECRET=$(field oauth.clientSecret <<< "$banner")
export API KEY TOKEN_URL CLIENT CLIENT_SECRET SEED=$seed PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH=$PWD/infra/proof/schema SCHEMATHESIS_HOOKS=hooks

checks=not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance
checks=$checks,response_schema_conformance,unsupported_method,allow_header_conformance
document=$PWD/infra/openapi.json
# It leaves notes in the folder that it runs in.
cd "$scratch"
# The document's own cases are some 3,300. Of the others, operations without a parameter have few.
timeout "$((600 + least / 4))" "$venv/bin/schemathesis" run "$document" --url "$API" --checks "$checks" \
  --phases examples,coverage,fuzzing,stateful --max-examples "$(((least - 3000) / 28 + 1))" --seed "$seed" --workers 2 \
  --continue-on-failure --suppress-health-check all --warnings off --request-timeout 60 --no-color > report 2>&1 || {
  status=$?
  cat report
  [ "$status" != 124 ] || echo "not done after $((600 + least / 4)) s"
  exit 1
}
sent=$(sed -n 's/^ *\([0-9,]*\) generated.*/\1/p' report | tr -d ',')
[ "$sent" -ge "$least" ] || { cat report; echo "only $sent requests"; exit 1; }
echo "schema proof: $sent requests, passed"
