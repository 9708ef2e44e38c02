#!/usr/bin/env bash
# Holds the service, and the embedded DynamoDB, S3 and SQS, against those of another maker: MiniStack, a server in
# Python that knows AWS's services from their documentation and answers.
#
#   1 the suite that every host must pass, on the referee
#   2 the same requests to both: docs/design/hosts.md judges each difference
#
# Needs cargo, curl and python3 (3.11 or later).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh
use_python infra/proof/requirements-referees.txt --no-deps
cargo build --locked --quiet -p local --bin prompt-workflow
. infra/proof/hosting.sh

# referee <data folder>: a new one at $url. S3 verifies presigned URLs with the key of the folder.
referee() {
  local port
  port=$(free_port)
  url=http://127.0.0.1:$port
  eval "$("$programs/prompt-workflow" aws --data-dir "$1" --print | grep -E '^export AWS_(SECRET_)?ACCESS_KEY')"
  start ministack env GATEWAY_PORT="$port" BIND_HOST=127.0.0.1 MINISTACK_HOST=127.0.0.1 \
    SERVICES=dynamodb,s3,sqs LOG_LEVEL=WARNING TMPDIR="$scratch" "$venv/bin/ministack"
  answering "$url/_ministack/health" 60
}

# served <options>: the service on the referee; makes its resources, too
served() {
  : > "$scratch/service.out"
  start service "$programs/prompt-workflow" --port 0 --json --endpoint-url "$url" "$@"
  written "$scratch/service.out"
}

echo "1 the suite"
referee "$scratch/referee"
# One server for all tests: the referee gives messages to whoever has asked, alive or not.
served --data-dir "$scratch/referee" --allow-loopback
(
  eval "$("$programs/prompt-workflow" aws --data-dir "$scratch/referee" --print)"
  export BASE_URL AWS_ENDPOINT_URL_DYNAMODB=$url
  BASE_URL=$(field baseUrl < "$scratch/service.out")
  # The referee takes unsigned requests, and does not compare what was announced.
  cargo test --locked --quiet --package acceptance --test hosts -- --test-threads 4 \
    --skip storage_takes_nothing_but_what_was_announced
) || fail "the suite does not pass"

echo "2 answers"
stop
referee "$scratch/data"
served --ephemeral
embedded 1
"$venv/bin/python" infra/proof/referees/compare.py \
  "$AWS_ENDPOINT_URL_DYNAMODB,$AWS_ENDPOINT_URL_S3,$AWS_ENDPOINT_URL_SQS" "$url,$url,$url"

echo "referees proof: passed"
