#!/bin/bash
# A webhook, received and verified by the service's own receiver: `cargo run -- listen`. The service must
# run with --allow-loopback.
set -euo pipefail
port=${PORT:-9410}

send() {
  curl -sS --fail-with-body -X "$1" "$API$2" -H "Authorization: Bearer $KEY" \
    -H "Content-Type: application/json" "${@:3}"
}

endpoint=$(send POST /webhook-endpoints -d '{"url": "http://127.0.0.1:'"$port"'/", "events": ["operation.succeeded"]}')
id=$(jq -r .data.id <<< "$endpoint")
# Told at creation and never again.
WEBHOOK_SECRET=$(jq -r .data.secret <<< "$endpoint")
export WEBHOOK_SECRET

log=$(mktemp)
${LISTEN:-cargo run --quiet -- listen} --port "$port" > "$log" &
listener=$!
trap 'kill $listener; send DELETE "/webhook-endpoints/$id" > /dev/null; rm "$log"' EXIT
# A test delivery is made at once and not repeated: it tells when the receiver listens.
until send POST "/webhook-endpoints/$id" -d '{}' | jq -e .data.delivered > /dev/null; do sleep 0.5; done

send POST /prompts/generate -H "Idempotency-Key: $(date +%s)-$$" -d '{"message": "A haiku about rain"}' > /dev/null
until grep -q operation.succeeded "$log"; do sleep 0.2; done
cat "$log"
