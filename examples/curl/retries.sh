#!/bin/sh
# Retries that never charge twice: curl sends the same request again, with the same Idempotency-Key, when
# the connection breaks or the answer is 408, 429 or 5xx, and honours Retry-After. It cannot tell that one
# code of 429, credits_exhausted, does not pass: then it gives up after half a minute.
set -eu

idempotency_key=$(date +%s)-$$
optimize() {
  curl -sS --fail-with-body --retry 5 --retry-connrefused "$@" "$API/prompts/optimize" \
    -H "Authorization: Bearer $KEY" \
    -H "Content-Type: application/json" \
    -H "Idempotency-Key: $idempotency_key" \
    -d '{"prompt": "Write something nice about {{product}}", "targetModel": "Claude Opus 5.5"}'
}

optimize | jq -r '.data.versions[0].prompt'
# Had the answer been lost, asking again would have brought the same one, free of charge.
optimize -o /dev/null -D - | tr -d '\r' | grep -i '^idempotent-replayed:'
