#!/usr/bin/env bash
# Proves template.yaml without an AWS account. Each step sees what the others pass:
#
#   1 sam validate     SAM's own schema
#   2 transform        SAM's translation into plain CloudFormation, as a deployment would do it
#   3 cfn-lint         references, types and values of that translation; warnings and hints fail too
#   4 template.py      what only this repository knows: its routers, keys, variables and deadlines
#
# Needs python3 (3.11 or later); the tools come from PyPI once, at the versions of requirements.txt.
# Another template may be given, by its path from the root of the repository.
set -euo pipefail
cd "$(dirname "$0")/../.."

template=${1:-template.yaml}
proof=infra/proof

# A new version of Python or of a tool gets a new environment.
digest=$(python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest()[:16])' \
  "$proof/requirements.txt")
venv=${XDG_CACHE_HOME:-$HOME/.cache}/prompt-workflow/proof-$digest
if [ ! -e "$venv/complete" ]; then
  echo "installing the tools of the proof into $venv"
  python3 -m venv --clear "$venv"
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$proof/requirements.txt"
  touch "$venv/complete"
fi

# Nothing here calls AWS: a region is only needed to name things.
export AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0
unset AWS_PROFILE

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# The tools read settings from the home folder, which must not change what is proved.
export HOME=$scratch

echo "1 sam validate"
"$venv/bin/sam" validate --template-file "$template" --config-file "$PWD/samconfig.toml" \
  > "$scratch/validate" 2>&1 || { cat "$scratch/validate"; exit 1; }

echo "2 transform"
"$venv/bin/python" "$proof/transform.py" "$template" > "$scratch/template.json"

echo "3 cfn-lint"
"$venv/bin/cfn-lint" --regions us-east-1 --include-checks I --non-zero-exit-code informational \
  --template "$scratch/template.json"

echo "4 assertions"
"$venv/bin/python" "$proof/template.py" "$scratch/template.json"

echo "template proof: 4 steps passed"
