#!/usr/bin/env bash
# Holds what requests cost, and what an idle deployment costs, to where it is said; with --write it writes that:
#
#   1 costs.py    trips and units in infra/tables.md are those that tests/api/costs.rs measures, and its dollars, which
#                 docs/costs.md repeats, are those of its units
#   2 scale.py    the table of docs/design/scale.md follows from these units
#   3 idle.py     the idle table of docs/costs.md follows from the template
#
# Needs cargo and python3 (3.11 or later); the tools come from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh
use_python infra/proof/requirements.txt --no-deps
export AWS_DEFAULT_REGION=us-east-1 PYTHONDONTWRITEBYTECODE=1
unset AWS_PROFILE

echo "1 requests"
COSTS=$scratch/costs cargo test --locked --quiet --package acceptance --test api costs:: -- --ignored
python3 infra/proof/costs.py "$scratch/costs" "$@"

echo "2 scale"
python3 infra/proof/scale.py "$@"

echo "3 idle"
"$venv/bin/python" infra/proof/transform.py template.yaml "$scratch"
"$venv/bin/python" infra/proof/idle.py "$scratch/template.json" "$@"
