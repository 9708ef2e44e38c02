#!/usr/bin/env bash
# Computes the table of docs/costs.md that says what an idle deployment costs; with --write, writes it.
#
# Needs python3 (3.11 or later); the tools come from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_python infra/proof/requirements.txt --no-deps
export AWS_DEFAULT_REGION=us-east-1 PYTHONDONTWRITEBYTECODE=1
unset AWS_PROFILE
"$venv/bin/python" infra/proof/transform.py template.yaml "$scratch"
"$venv/bin/python" infra/proof/idle.py "$scratch/template.json" "$@"
