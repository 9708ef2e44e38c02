#!/usr/bin/env bash
# Fails if a file of the repository holds a key or a password. secretlint knows the keys of vendors, private keys and
# credentials in addresses; infra/proof/secrets/rules.json adds those that this service makes.
#
# What rules.json allows is no secret: addresses with credentials that tests want to be refused, all of example.com; an
# AWS key of the word "FaKe", which moderation must find; and the signing secret of the bytes 0 to 31.
#
# Needs python3 (3.11 or later) with venv; node and secretlint come from PyPI and npm once, at pinned versions.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

use_node
use_modules infra/proof/secrets

# scan: reads names of files, each ended by a zero
scan() {
  xargs -0 "$node" "$modules/node_modules/secretlint/bin/secretlint.js" --no-glob --no-gitignore --no-color \
    --secretlintrc "$modules/rules.json"
}

# Rules are found from where they are installed.
cp infra/proof/secrets/rules.json "$modules/rules.json"

line() { printf -- '-----%s RSA PRIVATE KEY-----\n' "$1"; }

# What it must find, in pieces, so that this file is not among it.
planted=(
  "$(line BEGIN; echo "MII$(printf 'aB3%.0s' {1..100})"; line END)"
  "ghp""_$(printf 'aB3%.0s' {1..12})"
  "postgres:""//admin:Zk3vQ9@db.internal.io:5432/main"
  "pwk""_$(printf '1%.0s' {1..22})_$(printf '2%.0s' {1..22})_$(printf '3%.0s' {1..44})_abcdef12345"
  "whsec""_$(printf 'q%.0s' {1..43})="
)
for number in "${!planted[@]}"; do
  printf '%s\n' "${planted[number]}" > "$scratch/planted-$number"
  if printf '%s\0' "$scratch/planted-$number" | scan > "$scratch/found" 2>&1; then
    echo "a planted secret is not found: ${planted[number]}"
    exit 1
  fi
  grep -q "planted-$number" "$scratch/found" || { cat "$scratch/found"; exit 1; }
done

# GitHub's own checkout has what git lists; a file that is deleted but not yet committed is none.
git ls-files -z --cached --others --exclude-standard > "$scratch/listed"
while IFS= read -r -d '' file; do
  [ ! -f "$file" ] || printf '%s\0' "$file"
done < "$scratch/listed" > "$scratch/files"
scan < "$scratch/files"
echo "secrets proof: none in $(tr -cd '\0' < "$scratch/files" | wc -c) files, and ${#planted[@]} planted ones are found"
