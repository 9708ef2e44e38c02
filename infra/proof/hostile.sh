#!/usr/bin/env bash
# What others notice while one account of the smallest plan sends inputs that are made to be dear.
#
#   infra/proof/hostile.sh
#
# Fails if the health check or another account's generations take more than half a second for one in a hundred, or if
# the process needs more than 400 MB.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

cargo build --locked --quiet --release -p local -p admin --bin prompt-workflow --bin admin
programs=${CARGO_TARGET_DIR:-target}/release
"$programs/prompt-workflow" --data-dir "$scratch/data" --port 0 --plan max --json \
  > "$scratch/banner" 2> "$scratch/server.log" &
started+=($!)
written "$scratch/banner"
hostile=$("$programs/admin" --data-dir "$scratch/data" --json accounts create hostile --plan free | field id)
key=$("$programs/admin" --data-dir "$scratch/data" --json keys create "$hostile" --scopes prompts:analyze,prompts:optimize,prompts:refine,prompts:reverse,uploads:write | field key)
python3 infra/proof/hostile.py "$(field baseUrl < "$scratch/banner")" "$(field apiKey < "$scratch/banner")" "$key" \
  "$(field pid < "$scratch/banner")" || { tail -n 5 "$scratch/server.log"; exit 1; }
