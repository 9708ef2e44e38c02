#!/usr/bin/env bash
# Says what the translation of template.yaml, and of what it nests, has lost or gained since a commit.
#
#   compare_templates.sh <commit>
#
# Needs python3 (3.11 or later) and git; the tools come from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_python infra/proof/requirements.txt --no-deps
export AWS_DEFAULT_REGION=us-east-1 PYTHONDONTWRITEBYTECODE=1
unset AWS_PROFILE

mkdir "$scratch/tree"
git archive "$1" template.yaml infra | tar -x -C "$scratch/tree"
"$venv/bin/python" infra/proof/transform.py "$scratch/tree/template.yaml" "$scratch/before"
"$venv/bin/python" infra/proof/transform.py template.yaml "$scratch/after"
"$venv/bin/python" infra/proof/compare_templates.py "$scratch/before/template.json" "$scratch/after/template.json"
