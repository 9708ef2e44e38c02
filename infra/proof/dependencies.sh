#!/usr/bin/env bash
# What the service, the examples in Rust and the comparisons link: licences, sources and bans by infra/proof/deny.toml,
# versions that crates.io has withdrawn, and known defects by the RustSec database. And that every selection of packages
# asks for the same features of it (features.py).
#
# Needs cargo. cargo-deny is compiled once, in some minutes. The database is on GitHub: GitHub's own runners need it.
# Where GitHub cannot be reached, an empty one stands in its place, the rest is checked, and the last line says so.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

# Nothing else builds these, whose lock files name what the libraries depend on.
for workspace in fuzz comparisons; do
  cargo metadata --locked --format-version 1 --manifest-path "$workspace/Cargo.toml" > "$scratch/metadata" 2> "$scratch/metadata.log" ||
    { cat "$scratch/metadata.log"; echo "write it anew: cd $workspace && cargo update --workspace --offline"; exit 1; }
done

version=0.20.2
deny=$cache/cargo-deny-$version
if [ ! -x "$deny/bin/cargo-deny" ]; then
  echo "compiling cargo-deny $version into $deny"
  CARGO_TARGET_DIR=$scratch/target cargo install --quiet --locked --root "$deny" "cargo-deny@$version"
fi

database=https://github.com/RustSec/advisory-db
said="no known defects"
if ! GIT_TERMINAL_PROMPT=0 timeout 20 git ls-remote --quiet "$database" HEAD > "$scratch/head" 2>&1; then
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    echo "$database cannot be read:"
    cat "$scratch/head"
    exit 1
  fi
  said="known defects were NOT checked: github.com cannot be reached"
  mkdir -p "$scratch/none/crates/none"
  printf '```toml\n[advisory]\nid = "RUSTSEC-2016-0001"\npackage = "none"\ndate = "2016-01-01"\n\n[versions]\npatched = []\n```\n\n# None\n' \
    > "$scratch/none/crates/none/RUSTSEC-2016-0001.md"
  git -C "$scratch/none" init --quiet --initial-branch main
  git -C "$scratch/none" add .
  git -C "$scratch/none" -c user.name=none -c user.email=none@example.com commit --quiet --message none
  export GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="url.file://$scratch/none.insteadOf" GIT_CONFIG_VALUE_0=$database
fi

# The database is the one of this run, and is not left behind.
sed "s|^db-path = .*|db-path = \"$scratch/advisories\"|" infra/proof/deny.toml > "$scratch/deny.toml"
deny() { "$deny/bin/cargo-deny" --locked --log-level error --config "$scratch/deny.toml" "$@"; }
deny check
# The examples and the comparisons use few, and need not have every licence.
for workspace in examples/rust comparisons; do
  deny --manifest-path "$workspace/Cargo.toml" check --allow license-not-encountered
done
python3 infra/proof/features.py
echo "dependencies proof: licences, sources, bans and withdrawn versions; $said"
