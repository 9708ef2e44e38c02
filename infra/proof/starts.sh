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
use_python infra/proof/requirements-build.txt --no-deps
PATH=$venv/bin:$PATH
use_python infra/proof/requirements.txt --no-deps

export AWS_DEFAULT_REGION=us-east-1
cargo build --locked --quiet --workspace --bins
cp template.yaml "$scratch"
"$venv/bin/python" infra/proof/start_built.py "$scratch" "${CARGO_TARGET_DIR:-target}/debug"
echo "starts proof: passed"
