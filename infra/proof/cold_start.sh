#!/usr/bin/env bash
# What the start of each function costs, from its first instruction to its first answer: infra/cold-starts.md.
#
#   infra/proof/cold_start.sh            fails where a function needs 5 % more than the table says
#   infra/proof/cold_start.sh --write    writes the table
#
# Each program runs as on Lambda, for one event of events/, with the embedded DynamoDB, S3 and SQS behind it. The
# optimised build takes half an hour on two cores. For x86_64.
#
# Needs cargo, valgrind and python3 (3.11 or later).
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
command -v valgrind > /dev/null || { echo "valgrind is missing: apt-get install valgrind"; exit 1; }
cargo build --locked --quiet --release --workspace --bins
cargo build --locked --quiet --release -p edge --example hello
profile=release
. infra/proof/hosting.sh
# Nobody is fed: no message stands in for the events.
embedded
python3 infra/proof/cold_start.py "$programs" "$@"
