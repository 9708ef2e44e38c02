#!/bin/sh
# The first prompt.
set -eu

curl -sS --fail-with-body "$API/prompts/generate" \
  -H "Authorization: Bearer $KEY" \
  -H "Content-Type: application/json" \
  -H "Idempotency-Key: $(date +%s)-$$" \
  -d '{"message": "Write a blog post about hiking in Iceland", "targetModel": "Claude Opus 5.5"}' |
  jq -r .data.prompt
