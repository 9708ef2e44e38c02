#!/usr/bin/env bash
# Serves all functions with `cargo lambda watch` under one address, over the embedded DynamoDB, S3 and SQS, with
# pollers that feed them from the queues. Then:
#
#   1 `cargo lambda invoke` with each file of events/
#
# and with --all:
#
#   2 a changed source is compiled and served again
#   3 the suite that every host must pass
#
# Needs cargo, curl and python3 (3.11 or later); cargo-lambda comes from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_python infra/proof/requirements-build.txt --no-deps
PATH=$venv/bin:$PATH

# As it is done for each function at its first request, all at once.
cargo build --locked --quiet --workspace --bins

. infra/proof/hosting.sh
port=$(free_port)
embedded "$port"
# Cargo itself compiles: machine and target are the same.
export CARGO_LAMBDA_COMPILER=cargo
LOG=warn start watch cargo lambda watch --disable-cors --invoke-address 127.0.0.1 --invoke-port "$port"
answering "$BASE_URL/health" 300

echo "1 events"
invoke() {
  cargo lambda invoke --invoke-address 127.0.0.1 --invoke-port "$port" "$1" --data-file "$2"
}
every_event invoke
[ "${1:-}" = --all ] || { echo "watch proof: passed"; exit; }

echo "2 a changed source"
# Cargo names a program by its way from here, if it lies below.
serving() { pgrep -fx "($programs|target/debug)/system" || true; }
before=$(serving)
[ -n "$before" ] || fail "nobody serves"
touch functions/system/src/health.rs
for _ in $(seq 600); do
  after=$(serving)
  [ -n "$after" ] && [ "$after" != "$before" ] && break
  sleep 0.5
done
[ "$after" != "$before" ] || fail "the change was not noticed"
answering "$BASE_URL/health" 300
echo "ok   system was compiled and started again"

echo "3 the suite"
# It may lose answers of several hundred KB; the suite says more.
export LOSES_LARGE_ANSWERS=yes
cargo test --locked --package acceptance --test hosts -- --test-threads 4 || fail "the suite does not pass"
echo "watch proof: passed"
