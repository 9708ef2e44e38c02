#!/usr/bin/env bash
# Holds a deployment to tests/hosts: verify.sh <operator's tool> <program of tests/hosts>
#
# Two accounts are made for that, and their keys are revoked and the accounts suspended afterwards, whatever came of
# it. The keys would end by themselves after a day.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

admin=$(realpath "$1")
hosts=$(realpath "$2")
BASE_URL=$(described "Outputs[?OutputKey=='ApiUrl'].OutputValue | [0]" --output text)
export BASE_URL
use_operator

accounts=()
keys=()
clean_up() {
  local at
  for at in "${!keys[@]}"; do
    "$admin" --yes --json keys revoke "${accounts[at]}" "${keys[at]}" > /dev/null || true
  done
  for at in "${!accounts[@]}"; do
    "$admin" --yes --json accounts suspend "${accounts[at]}" > /dev/null || true
  done
}
trap clean_up EXIT
trap 'exit 1' INT TERM

# field <name>: of the JSON object on standard input
field() { python3 -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1]])' "$1"; }

# make_key: sets `key`, of a new account
make_key() {
  local made
  made=$("$admin" --json accounts create "Deployment check" --plan max)
  accounts+=("$(field id <<< "$made")")
  made=$("$admin" --json keys create "${accounts[-1]}" --all-scopes --name "Deployment check" --expires-in 1)
  keys+=("$(field id <<< "$made")")
  key=$(field key <<< "$made")
  # A line of the log must not have it, whatever prints it.
  if [ -n "${GITHUB_ACTIONS:-}" ]; then echo "::add-mask::$key"; fi
}
make_key && first=$key
make_key && second=$key

# By HTTP alone, with no more rights than a user: with TABLE_NAME the suite would make accounts in the table.
status=0
env -u TABLE_NAME -u SERVER_SECRET -u AWS_ACCESS_KEY_ID -u AWS_SECRET_ACCESS_KEY -u AWS_SESSION_TOKEN \
  API_KEY="$first" OTHER_API_KEY="$second" "$hosts" || status=$?
exit $status
