#!/usr/bin/env bash
# How the development server keeps up: infra/proof/load.sh [seconds], or infra/proof/load.sh overload
#
# 600 seconds unless given. The service keeps its data in a folder of its own, which goes afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

trial=load
if [ "${1:-}" = overload ]; then trial=overload; fi
cargo build --locked --quiet --release -p local --bin prompt-workflow --example "$trial"
programs=${CARGO_TARGET_DIR:-target}/release
"$programs/prompt-workflow" --data-dir "$scratch/data" --port 0 --unlimited --json \
  > "$scratch/banner" 2> "$scratch/server.log" &
started+=($!)
written "$scratch/banner"
to=("$(field baseUrl < "$scratch/banner")" "$(field apiKey < "$scratch/banner")")
if [ "$trial" = load ]; then to+=("$(field pid < "$scratch/banner")" "${1:-600}"); fi
"$programs/examples/$trial" "${to[@]}" || { tail -n 5 "$scratch/server.log"; exit 1; }
