# shellcheck shell=bash
# What .ci/run and .ci/nightly share, to be sourced from the root of the repository: the build folder, and steps whose
# seconds end in a table.

# One build folder for all checkouts of a user, and on CI one checkout: Cargo takes a package at another path for
# another package, and would compile all of ours again in each fresh clone.
cache=${XDG_CACHE_HOME:-$HOME/.cache}/prompt-workflow
export CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-$cache/target}"
export CARGO_TERM_COLOR=never
if [ "${CI:-}" = true ] && [ "$PWD" != "$cache/checkout" ]; then
  mkdir -p "$cache"
  git init --quiet "$cache/checkout"
  git -C "$cache/checkout" fetch --quiet --no-tags "$PWD" HEAD
  git -C "$cache/checkout" checkout --quiet --force --detach FETCH_HEAD
  git -C "$cache/checkout" clean --quiet -fdx
  exec bash "$cache/checkout/.ci/$(basename "$0")"
fi

logs=$(mktemp -d)
trap 'jobs -p | xargs -r kill 2> /dev/null; rm -rf "$logs"' EXIT

# step <name> <command>: its seconds go into the table
step() {
  local name=$1 began=$SECONDS
  shift
  printf '\n== %s\n' "$name"
  "$@" || { echo "FAILED: $name"; return 1; }
  printf '%6d s  %s\n' $((SECONDS - began)) "$name" >> "$logs/table"
}

# together <function> <function>: both at once; what the second prints comes at its end
together() {
  "$2" > "$logs/$2" 2>&1 &
  local beside=$!
  "$1"
  wait "$beside" || { cat "$logs/$2"; exit 1; }
  cat "$logs/$2"
}

table() {
  printf '\nStep by step (%d s in all)\n' "$SECONDS"
  cat "$logs/table"
}
