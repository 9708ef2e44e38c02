#!/usr/bin/env bash
# Generates clients from the OpenAPI document by generators of other makers, checks their types as strictly
# as the checkers can, and calls with them this service and a stand-in for a newer one (clients/newer.py):
#
#   1 redocly and spectral    the document, by the rules of clients/redocly.yaml and spectral.yaml
#   2 escapes                 what is written by hand casts nothing and looks nothing up by name
#   3 openapi-python-client   checked by mypy --strict
#   4 openapi-typescript      with openapi-fetch, checked by tsc --strict
#
# and with --all by a second generator for each language:
#
#   5 OpenAPI Generator       its Python by mypy as it asks to, the calls by mypy --strict
#   6 @hey-api/openapi-ts     checked by tsc --strict
#
# Needs cargo, and python3 and curl for the tools.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

proof=$PWD/infra/proof/clients
document=$PWD/infra/openapi.json
use_node
use_modules "$proof"
use_python "$proof/requirements.txt"
serve
python3 "$proof/newer.py" "$document" > "$scratch/newer" &
started+=($!)
written "$scratch/newer"
services=("$(field baseUrl <<< "$banner")" "$(field apiKey <<< "$banner")" "$(cat "$scratch/newer")")

echo "1 the document"
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$node" "$modules/node_modules/@redocly/cli/bin/cli.js" lint "$document" --config "$proof/redocly.yaml" \
  > "$scratch/redocly" 2>&1 || { cat "$scratch/redocly"; exit 1; }
cp "$proof/spectral.yaml" "$modules"
(cd "$modules" && "$node" node_modules/@stoplight/spectral-cli/dist/index.js lint "$document" \
  --ruleset "$modules/spectral.yaml" --fail-severity=warn) > "$scratch/spectral" 2>&1 || { cat "$scratch/spectral"; exit 1; }

echo "2 escapes"
"$venv/bin/python" "$proof/escapes.py" "$proof/smoke.py" "$proof/generator.py"
cp "$proof/escapes.mjs" "$modules"
"$node" "$modules/escapes.mjs" "$proof/smoke.ts" "$proof/hey.ts"

echo "3 python"
# It formats with ruff, which it looks for in PATH.
PATH=$venv/bin:$PATH "$venv/bin/openapi-python-client" generate --path "$document" --fail-on-warning \
  --output-path "$scratch/python" > "$scratch/generated" 2>&1 || { cat "$scratch/generated"; exit 1; }
cp "$proof/smoke.py" "$scratch/python/smoke.py"
(cd "$scratch/python" && "$venv/bin/mypy" --strict --no-error-summary --cache-dir "$scratch/mypy" .)
PYTHONPATH=$scratch/python "$venv/bin/python" "$scratch/python/smoke.py" "${services[@]}"

echo "4 typescript"
mkdir "$scratch/typescript"
cp "$proof/smoke.ts" "$proof/tsconfig.json" "$scratch/typescript"
# Modules are looked for beside the file that needs them.
ln -s "$modules/node_modules" "$scratch/typescript/node_modules"
echo '{"type": "module"}' > "$scratch/typescript/package.json"
# A property with a default is always answered, but need not be sent.
"$node" "$modules/node_modules/openapi-typescript/bin/cli.js" "$document" --default-non-nullable=false \
  -o "$scratch/typescript/schema.ts" > "$scratch/generated" 2>&1 || { cat "$scratch/generated"; exit 1; }
"$node" "$modules/node_modules/typescript/bin/tsc" --project "$scratch/typescript"
"$node" "$scratch/typescript/smoke.ts" "${services[@]}"

[ "${1:-}" = --all ] || { echo "clients proof: passed"; exit; }

echo "5 another python"
# Models and operations only: for `webhooks` it generates invalid Python.
"$venv/bin/openapi-generator-cli" generate --generator-name python --input-spec "$document" \
  --global-property models,modelDocs=false,modelTests=false,apis,apiDocs=false,apiTests=false,supportingFiles \
  --output "$scratch/generator" --package-name prompt_workflow > "$scratch/generated" 2>&1 || {
  cat "$scratch/generated"
  exit 1
}
# It leaves out what it does not understand, and goes on.
if grep -E "ERROR|COLLISION|Invalid" "$scratch/generated"; then exit 1; fi
cp "$proof/generator.py" "$scratch/generator"
(cd "$scratch/generator" && "$venv/bin/mypy" --no-error-summary --cache-dir "$scratch/mypy-generator" -p prompt_workflow &&
  "$venv/bin/mypy" --strict --follow-imports=silent --no-error-summary --cache-dir "$scratch/mypy-strict" generator.py)
"$venv/bin/python" "$scratch/generator/generator.py" "${services[@]}"

echo "6 another typescript"
mkdir "$scratch/hey"
ln -s "$modules/node_modules" "$scratch/hey/node_modules"
echo '{"type": "module"}' > "$scratch/hey/package.json"
cat > "$scratch/hey/openapi-ts.config.mjs" << END
export default { input: "$document", output: { path: "$scratch/hey/client", importFileExtension: ".ts" } };
END
(cd "$scratch/hey" && "$node" node_modules/@hey-api/openapi-ts/bin/run.js) > "$scratch/generated" 2>&1 || {
  cat "$scratch/generated"
  exit 1
}
cp "$proof/hey.ts" "$scratch/hey/client"
# What it generates for itself is not written for optional properties that are exact.
sed '/exactOptionalPropertyTypes/d' "$proof/tsconfig.json" > "$scratch/hey/client/tsconfig.json"
"$node" "$modules/node_modules/typescript/bin/tsc" --project "$scratch/hey/client"
"$node" "$scratch/hey/client/hey.ts" "${services[@]}"
echo "clients proof: passed"
