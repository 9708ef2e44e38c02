#!/usr/bin/env bash
# Generates clients from the OpenAPI document by generators of other makers, checks their types as strictly
# as the checkers can, and calls a service with them:
#
#   1 redocly and spectral    the document, by the rules of clients/redocly.yaml and spectral.yaml
#   2 openapi-python-client   checked by mypy --strict
#   3 openapi-typescript      with openapi-fetch, checked by tsc --strict
#   4 @hey-api/openapi-ts     checked by tsc --strict
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
api=$(field baseUrl <<< "$banner") key=$(field apiKey <<< "$banner")

echo "1 the document"
export REDOCLY_TELEMETRY=off REDOCLY_SUPPRESS_UPDATE_NOTICE=true
"$node" "$modules/node_modules/@redocly/cli/bin/cli.js" lint "$document" --config "$proof/redocly.yaml" \
  > "$scratch/redocly" 2>&1 || { cat "$scratch/redocly"; exit 1; }
cp "$proof/spectral.yaml" "$modules"
(cd "$modules" && "$node" node_modules/@stoplight/spectral-cli/dist/index.js lint "$document" \
  --ruleset "$modules/spectral.yaml" --fail-severity=warn) > "$scratch/spectral" 2>&1 || { cat "$scratch/spectral"; exit 1; }

echo "2 python"
# It formats with ruff, which it looks for in PATH.
PATH=$venv/bin:$PATH "$venv/bin/openapi-python-client" generate --path "$document" --fail-on-warning \
  --output-path "$scratch/python" > "$scratch/generated" 2>&1 || { cat "$scratch/generated"; exit 1; }
cp "$proof/smoke.py" "$scratch/python/smoke.py"
(cd "$scratch/python" && "$venv/bin/mypy" --strict --no-error-summary --cache-dir "$scratch/mypy" .)
PYTHONPATH=$scratch/python "$venv/bin/python" "$scratch/python/smoke.py" "$api" "$key"

echo "3 typescript"
mkdir "$scratch/typescript"
cp "$proof/smoke.ts" "$proof/tsconfig.json" "$scratch/typescript"
# Modules are looked for beside the file that needs them.
ln -s "$modules/node_modules" "$scratch/typescript/node_modules"
echo '{"type": "module"}' > "$scratch/typescript/package.json"
# A property with a default is always answered, but need not be sent.
"$node" "$modules/node_modules/openapi-typescript/bin/cli.js" "$document" --default-non-nullable=false \
  -o "$scratch/typescript/schema.ts" > "$scratch/generated" 2>&1 || { cat "$scratch/generated"; exit 1; }
"$node" "$modules/node_modules/typescript/bin/tsc" --project "$scratch/typescript"
"$node" "$scratch/typescript/smoke.ts" "$api" "$key"

echo "4 another typescript"
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
"$node" "$scratch/hey/client/hey.ts" "$api" "$key"
echo "clients proof: passed"
