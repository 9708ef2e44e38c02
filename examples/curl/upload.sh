#!/bin/sh
# An upload, reversed: the prompt of a picture. `upload.sh PICTURE.png`
set -eu
picture=$1

post() {
  path=$1
  shift
  curl -sS --fail-with-body -X POST "$API$path" -H "Authorization: Bearer $KEY" \
    -H "Content-Type: application/json" "$@"
}

created=$(post /uploads -d '{"scope": "reverse_image", "filename": "picture.png",
  "contentType": "image/png", "size": '"$(wc -c < "$picture")"'}')
id=$(printf '%s' "$created" | jq -r .data.id)

# To the storage, with exactly the headers that it names, and without the key.
printf '%s' "$created" |
  jq -r '.data.upload.headers | to_entries[] | "header = \"\(.key): \(.value | gsub("\""; "\\\""))\""' |
  curl -sS --fail-with-body -X PUT -K - --data-binary "@$picture" \
    "$(printf '%s' "$created" | jq -r .data.upload.url)"

post "/uploads/$id/complete" -d '{}' | jq -e '.data.status == "ready"' > /dev/null
post /reverse-prompts -H "Idempotency-Key: $id" -d '{"type": "image", "uploadId": "'"$id"'"}' |
  jq -r '.data | "\(.recovery): \(.prompt)"'
