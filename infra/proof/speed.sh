#!/usr/bin/env bash
# What the start of each function costs, from its first instruction to its first answer, and what requests cost that
# come after it: infra/speed.md.
#
#   infra/proof/speed.sh [--optimised] [--write] [<function> …]
#
# Fails where a figure is 5 % above the table's; with --write it writes the table. Without --optimised it
# measures the programs that `cargo build` makes, else those that are deployed: their build takes 40 minutes on two
# cores. Each program runs as on Lambda, with the embedded DynamoDB, S3 and SQS behind it. For x86_64.
#
# Needs cargo and python3 (3.11 or later); valgrind comes from Debian where it is missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
[ "$(uname -m)" = x86_64 ] || { echo "speed proof: skipped, its figures are of x86_64"; exit 0; }
use_valgrind
profile=debug
write=()
while :; do
  case "${1:-}" in
    --optimised) profile=release ;;
    --write) write=(--write) ;;
    *) break ;;
  esac
  shift
done
cargo build --locked --quiet --workspace --bins
. infra/proof/hosting.sh
if [ $profile = release ]; then
  for folder in functions/*/; do
    name=$(basename "$folder")
    case " ${*:-$name} " in *" $name "*) cargo build --locked --quiet --release --package "$name" --bins ;; esac
  done
fi
cargo build --locked --quiet --profile ${profile/debug/dev} --package edge --examples
# Nobody is fed: no message stands in for the events.
embedded
python3 infra/proof/speed "$programs" $profile "${write[@]}" "$@"
echo "speed proof: passed"
