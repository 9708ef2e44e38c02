#!/bin/sh
# Without waiting: the operation is accepted at once, and polled until it has ended.
set -eu

operation=$(curl -sS --fail-with-body -D - -o /dev/null "$API/prompts/generate" \
  -H "Authorization: Bearer $KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$$" \
  -H "Prefer: respond-async" \
  -d '{"message": "Plan a three-day trip to Lisbon"}' |
  tr -d '\r' | sed -n 's/^[Ll]ocation: //p')

while :; do
  answer=$(curl -sS --fail-with-body "$operation" -H "Authorization: Bearer $KEY")
  case $(printf '%s' "$answer" | jq -r .data.status) in
    PENDING | RUNNING) sleep 0.5 ;;
    SUCCEEDED) break ;;
    *) printf '%s\n' "$answer" >&2; exit 1 ;;
  esac
done
printf '%s' "$answer" | jq -r .data.result.prompt
