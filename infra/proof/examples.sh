#!/usr/bin/env bash
# Runs every example against a service of its own, and checks what it prints; then the calls of README.md and
# of the pages in docs/.
#
# Needs cargo, and python3 and curl for the tools.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

use_jq
use_go
use_node
use_modules examples/typescript
use_python examples/python/requirements.txt
serve --allow-loopback
API=$(field baseUrl <<< "$banner") KEY=$(field apiKey <<< "$banner")
PORT=$(free_port)
LISTEN="${CARGO_TARGET_DIR:-target}/debug/prompt-workflow listen"
export API KEY PORT LISTEN

# Modules are looked for beside the file that needs them.
cp examples/typescript/*.ts examples/typescript/tsconfig.json "$modules"
echo "types"
"$node" "$modules/node_modules/typescript/bin/tsc" --project "$modules"

echo "go"
unformatted=$(gofmt -l examples/go)
[ -z "$unformatted" ] || { echo "gofmt -w $unformatted"; exit 1; }
go -C examples/go vet ./...
go -C examples/go build -o "$scratch/go/" ./...

echo "rust"
# Nobody steps through them, and without that they take a third less time and less than half of the space.
rust() {
  CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-target} CARGO_PROFILE_DEV_DEBUG=false \
    cargo "$1" --manifest-path examples/rust/Cargo.toml "${@:2}"
}
rust fmt --check
rust clippy --locked --quiet -- -D warnings
rust build --locked --quiet

# A picture as AUTOMATIC1111 saves it.
python3 - "$scratch/picture.png" << 'SCRIPT'
import struct, sys, zlib

def chunk(name: bytes, data: bytes) -> bytes:
    return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

with open(sys.argv[1], "wb") as file:
    file.write(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)))
    file.write(chunk(b"tEXt", b"parameters\0a lighthouse on a cliff, dawn\nNegative prompt: people\n"
        b"Steps: 20, Sampler: Euler a, CFG scale: 7, Seed: 42, Size: 64x64"))
    file.write(chunk(b"IDAT", zlib.compress((b"\0" + b"\x30\x60\x90" * 64) * 64)))
    file.write(chunk(b"IEND", b""))
SCRIPT

# example <name> <argument> <words that it must print>…
example() {
  local name=$1 argument=$2 kind words run
  for kind in curl python typescript go rust; do
    case $kind in
      curl) run=("examples/curl/$name.sh") ;;
      python) run=("$venv/bin/python" "examples/python/$name.py") ;;
      typescript) run=("$node" "$modules/$name.ts") ;;
      go) run=("$scratch/go/$name") ;;
      rust) run=("${CARGO_TARGET_DIR:-target}/debug/$name") ;;
    esac
    [ -z "$argument" ] || run+=("$argument")
    if ! timeout 120 "${run[@]}" > "$scratch/printed" 2> "$scratch/complaint"; then
      echo "FAIL $kind $name"; cat "$scratch/printed" "$scratch/complaint" "$scratch/server.log"; exit 1
    fi
    for words in "${@:3}"; do
      grep -qiF -- "$words" "$scratch/printed" ||
        { echo "FAIL $kind $name: no '$words' in"; cat "$scratch/printed"; exit 1; }
    done
    echo "ok   $kind $name"
  done
}
example first_prompt "" "<task>" "hiking in Iceland"
example deferred "" "three-day trip to Lisbon"
example retries "" "{{product}}" "Idempotent-Replayed: true"
example upload "$scratch/picture.png" "exact: a lighthouse on a cliff, dawn"
example webhook "" "operation.succeeded" "op_"
example preset "" "Plan three days in Lisbon for two."

# Each example is run.
called=$(grep -c '^example [a-z]' infra/proof/examples.sh)
for kind in 'curl/*.sh' 'python/*.py' 'typescript/*.ts' 'go/*/main.go' 'rust/src/bin/*.rs'; do
  there=$({ compgen -G "examples/$kind" || true; } | wc -l)
  [ "$there" = "$called" ] || { echo "FAIL $there examples in $kind, $called of them run"; exit 1; }
done

# The calls of README.md and docs/, each page by itself: in a folder of its own with the picture that it uploads,
# with no variable that it does not set, and beside a web page that it reads.
mkdir "$scratch/pages" "$scratch/page"
echo '<!doctype html><title>Kettles</title><p>Our kettle boils a litre of water in two minutes, quietly, and keeps
it warm for an hour. It comes in black and in white, and has a filter that can be washed.</p>' \
  > "$scratch/page/index.html"
page=$(free_port)
python3 -m http.server "$page" --bind 127.0.0.1 --directory "$scratch/page" > /dev/null 2>&1 &
started+=($!)
python3 infra/proof/pages.py "$scratch/pages" "$API" "$KEY" "$(field oauth.clientSecret <<< "$banner")" \
  "http://127.0.0.1:$page/"
for script in "$scratch"/pages/*.sh; do
  name=$(basename "$script" .sh)
  mkdir "$scratch/pages/$name"
  cp "$scratch/picture.png" "$scratch/pages/$name"
  (cd "$scratch/pages/$name" && env -i PATH="$PATH" HOME="$scratch" bash "$script") > "$scratch/printed" 2>&1 ||
    { cat "$scratch/printed"; echo "FAIL the calls of $name.md"; exit 1; }
  echo "ok   the calls of $name.md"
done
echo "examples proof: passed"
