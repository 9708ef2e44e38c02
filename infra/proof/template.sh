#!/usr/bin/env bash
# Proves template.yaml, what it nests and what is said about deploying it, without an AWS account. Each step sees
# what the others pass:
#
#   1 sam validate     SAM's own schema, for each template
#   2 transform        SAM's translation into plain CloudFormation, as a deployment would do it
#   3 cfn-lint         references, types and values of that translation, and that a nested template is passed the
#                      parameters that it declares; warnings and hints fail too
#   4 template.py      what only this repository knows: its routers, keys, variables and deadlines
#   5 monitoring.py      that everything is watched, by metrics that exist and log lines that are written
#   6 deploy_commands.py      samconfig.toml, the outputs' command lines, and what the pages in docs/ name
#   7 roles.py         that the roles of infra/github.yaml may do what SAM and CloudFormation do with these templates
#   8 policy.py        checkov's rules of good practice; policy.toml has the exceptions and their reasons
#   9 package.py       what SAM uploads: the nested templates too, and YAML as plain as CloudFormation reads it
#
# Needs python3 (3.11 or later); the tools come from PyPI once, at the versions of the requirements*.txt.
# Another template may be given, by its path from the root of the repository.
set -euo pipefail
cd "$(dirname "$0")/../.."

template=${1:-template.yaml}
proof=infra/proof
mapfile -t nested < <(sed -n 's/^ *TemplateURL: //p' "$template")

. infra/proof/tools.sh
use_python $proof/requirements-policy.txt --no-deps
checkov=$venv/bin/checkov
use_python $proof/requirements.txt --no-deps

# Nothing here calls AWS: a region is only needed to name things.
export AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0 PYTHONDONTWRITEBYTECODE=1
unset AWS_PROFILE

# The tools read settings from the home folder, which must not change what is proved.
export HOME=$scratch

echo "1 sam validate"
for each in "$template" "${nested[@]/#/$(dirname "$template")/}"; do
  "$venv/bin/sam" validate --template-file "$each" --config-file "$PWD/samconfig.toml" \
    > "$scratch/validate" 2>&1 || { cat "$scratch/validate"; exit 1; }
done

echo "2 transform"
"$venv/bin/python" "$proof/transform.py" "$template" "$scratch"

echo "3 cfn-lint"
translated=("$scratch/template.json" "${nested[@]/#/$scratch/}")
translated=("${translated[@]/%.yaml/.json}")
"$venv/bin/cfn-lint" --regions us-east-1 --include-checks I --non-zero-exit-code informational \
  --template "${translated[@]}"

echo "4 assertions"
"$venv/bin/python" "$proof/template.py" "$scratch/template.json"

echo "5 watching"
"$venv/bin/python" "$proof/monitoring.py" "$scratch/template.json"

echo "6 commands"
"$venv/bin/python" "$proof/deploy_commands.py" "$scratch/template.json"

echo "7 roles"
"$venv/bin/python" "$proof/roles.py" "$scratch/template.json"

echo "8 policy"
"$venv/bin/python" "$proof/policy.py" "$checkov" "${translated[@]}"

echo "9 package"
"$venv/bin/python" "$proof/package.py" "$venv/bin/sam" "$template" "${nested[@]}"

echo "template proof: passed"
