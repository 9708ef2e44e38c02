#!/usr/bin/env bash
# What the start of each function costs, from its first instruction to its first answer, and what requests cost that
# come after it: infra/speed.md.
#
#   infra/proof/speed.sh                     the programs of `cargo build`
#   infra/proof/speed.sh --optimised         those that are deployed; their build takes 40 minutes on two cores
#   infra/proof/speed.sh [--optimised] --write
#
# Fails where a figure is not within 5 % of the table's; with --write it writes the table. Each program runs as on
# Lambda, with the embedded DynamoDB, S3 and SQS behind it. For x86_64.
#
# Needs cargo and python3 (3.11 or later); valgrind comes from Debian where it is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
[ "$(uname -m)" = x86_64 ] || { echo "speed: skipped, its figures are of x86_64"; exit 0; }
use_valgrind
profile=debug
if [ "${1:-}" = --optimised ]; then
  profile=release
  shift
  cargo build --locked --quiet --release --workspace --bins
  cargo build --locked --quiet --release -p edge --examples
else
  cargo build --locked --quiet --workspace --bins
  cargo build --locked --quiet -p edge --examples
fi
. infra/proof/hosting.sh
# Nobody is fed: no message stands in for the events.
embedded
python3 infra/proof/speed "$programs" "$profile" "$@"
echo "speed proof: passed"
