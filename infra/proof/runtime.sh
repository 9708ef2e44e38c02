#!/usr/bin/env bash
# Runs every function's program under the real runtime - the emulator of Lambda's runtime interface that comes
# with SAM's command line - without docker: one emulator a function, what API Gateway does in front of them, the
# embedded DynamoDB, S3 and SQS behind them, and pollers that feed them from the queues. Then:
#
#   1 what `sam local` would give the functions is what they need
#   2 each file of events/ is invoked
#   3 the suite that every host must pass
#   4 the scripts of a deployment call by the operator's tool what the role of GitHub's jobs allows
#
# Needs cargo, curl and python3 (3.11 or later); SAM comes from PyPI once. For x86_64 and arm64.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_python infra/proof/requirements.txt --no-deps
case $(uname -m) in aarch64 | arm64) machine=arm64 ;; *) machine=x86_64 ;; esac
emulator=$("$venv/bin/python" -c 'import pathlib, samcli; print(pathlib.Path(samcli.__file__).parent)')
emulator=$emulator/local/rapid/aws-lambda-rie-$machine
# A wheel's data files may lack the permission.
[ -x "$emulator" ] || chmod +x "$emulator"

functions=()
for folder in functions/*/; do functions+=("$(basename "$folder")"); done
cargo build --locked --quiet --workspace --bins

. infra/proof/hosting.sh
port=$(free_port)
embedded "$port"
named=()
for function in "${functions[@]}"; do
  invoked=$(free_port)
  AWS_LAMBDA_FUNCTION_NAME=$function AWS_LAMBDA_FUNCTION_TIMEOUT=120 LOG=warn \
    start "$function" "$emulator" --log-level warn \
    --runtime-interface-emulator-address "127.0.0.1:$invoked" \
    --runtime-api-address "127.0.0.1:$(free_port)" "$programs/$function"
  named+=(--functions "$function=http://127.0.0.1:$invoked")
done
start gateway "$programs/prompt-workflow" gateway --port "$port" "${named[@]}"
answering "$BASE_URL/health" 60

echo "1 sam local"
(
  eval "$("$programs/prompt-workflow" aws --data-dir "$scratch/data" --print)"
  SAM_CLI_TELEMETRY=0 "$venv/bin/python" infra/proof/sam_local.py
)

echo "2 events"
invoke() {
  curl -sf --data-binary "@$2" "http://127.0.0.1:$port/2015-03-31/functions/$1/invocations"
}
every_event invoke

echo "3 the suite"
cargo test --locked --package acceptance --test hosts -- --test-threads 4 || fail "the suite does not pass"

echo "4 the operator's tool"
python3 infra/proof/operator_calls.py "$programs/admin"
echo "runtime proof: passed"
