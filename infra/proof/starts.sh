#!/usr/bin/env bash
# Starts Cargo's program of every function as Lambda would, with the variables that template.yaml gives it, and lets it
# answer once.
#
#   infra/proof/starts.sh
#
# Needs cargo and python3 (3.11 or later); cargo-lambda, which stands for Lambda, comes from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_sam

cargo build --locked --quiet --workspace --bins
cp template.yaml "$scratch"
"$venv/bin/python" infra/proof/start_built.py "$scratch" "${CARGO_TARGET_DIR:-target}/debug"
echo "starts proof: passed"
