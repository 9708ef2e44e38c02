#!/usr/bin/env bash
# How the development server keeps up:
#
#   infra/proof/load.sh [seconds]    a mix of calls, 600 seconds unless given
#   infra/proof/load.sh overload     more than it can answer
#   infra/proof/load.sh throughput   as many as it can answer
#
# The service keeps its data in a folder of its own, which goes afterwards.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

trial=load
case "${1:-}" in overload | throughput) trial=$1 ;; esac
cargo build --locked --quiet --release -p local --bin prompt-workflow --example "$trial"
programs=${CARGO_TARGET_DIR:-target}/release
"$programs/prompt-workflow" --data-dir "$scratch/data" --port 0 --unlimited --json \
  > "$scratch/banner" 2> "$scratch/server.log" &
started+=($!)
written "$scratch/banner"
to=("$(field baseUrl < "$scratch/banner")" "$(field apiKey < "$scratch/banner")")
if [ "$trial" = load ]; then to+=("$(field pid < "$scratch/banner")" "${1:-600}"); fi
"$programs/examples/$trial" "${to[@]}" || { tail -n 5 "$scratch/server.log"; exit 1; }
