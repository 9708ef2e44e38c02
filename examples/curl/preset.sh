#!/bin/sh
# A preset, rendered.
set -eu

post() {
  curl -sS --fail-with-body "$API$1" -H "Authorization: Bearer $KEY" \
    -H "Content-Type: application/json" -d "$2"
}

id=$(post /prompt-presets '{"name": "City trips", "values": {"city": "Lisbon"},
  "promptText": "Plan three days in {{city}} for {{travellers}}."}' | jq -r .data.id)
post "/prompt-presets/$id/render" '{"values": {"travellers": "two"}}' | jq -r .data.text
curl -sS --fail-with-body -X DELETE "$API/prompt-presets/$id" -H "Authorization: Bearer $KEY" > /dev/null
