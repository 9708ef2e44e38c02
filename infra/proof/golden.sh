#!/usr/bin/env bash
# Compares the results of the rules engine over the inputs of the repository with their digests; with --write it
# writes the digests. What a digest cannot say, `golden -- compare` says of two dumps.
set -euo pipefail
cd "$(dirname "$0")/../.."
recorded=lib/rules/examples/golden/digests.tsv
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
golden() { cargo run --locked -q --release -p rules --example golden -- "$@"; }

golden dump "$scratch/results.jsonl"
golden digests "$scratch/results.jsonl" > "$scratch/digests.tsv"
if [ "${1:-}" = --write ]; then
  cp "$scratch/digests.tsv" "$recorded"
elif ! diff "$recorded" "$scratch/digests.tsv"; then
  echo "the engine or its inputs have changed; say in the commit why, and: infra/proof/golden.sh --write" >&2
  exit 1
fi
