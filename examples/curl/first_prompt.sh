#!/bin/sh
# The first prompt.
set -eu

curl -sS --fail-with-body "$API/prompts/generate" \
  -H "Authorization: Bearer $KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$$" \
  -d '{"message": "A packing list for Iceland", "targetModel": "Claude Opus 5.5"}' |
  jq -r .data.prompt
