#!/usr/bin/env bash
# Holds the exported files of checks to the checks: for the prompts and answers of checks/cases.json, whose kinds and
# languages are many and whose texts are nasty, the service says which checks an answer passes, and so do
#
#   1 promptfoo   with each exported file as it is: it is accepted, and echoes the prompt as the service fills it
#   2 promptfoo   with a provider that returns the answers in the place of "echo"
#   3 pytest      with each answer in ANSWER_FILE
#
# A verdict that differs is a failure. What the service leaves undecided, and what a file names as not tested, is
# counted only. With all packages in the cache folder, nothing needs the network. It takes two minutes on two busy cores.
#
# Needs cargo, curl and python3 (3.11 or later).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

proof=$PWD/infra/proof/checks

# use_promptfoo: fills `modules`, a folder with promptfoo. It has 420 packages of 0.3 GB without what is optional, and 740
# of 1.9 GB with that, of which only its database is needed. A lock of them would be ten thousand lines that nobody reads, for a
# program that is handed nothing but files of a test: its own version is pinned, and the others are those of a day.
use_promptfoo() {
  local day binding
  day=$(field config.day < "$proof/package.json")
  local options=(--prefix "$modules" --silent --ignore-scripts --no-audit --no-fund --no-package-lock
    --omit optional --omit peer --before "$day")
  if [ ! -e "$modules/complete" ]; then
    echo "installing the packages of $proof into $modules"
    rm -rf "$modules" && mkdir -p "$modules"
    cp "$proof/package.json" "$modules"
    "${npm[@]}" install "${options[@]}"
    binding=$(cd "$modules" && "$node" -p '
      const { platform, arch } = process;
      const name = `@libsql/${platform}-${arch}${platform === "linux" ? "-gnu" : ""}`;
      `${name}@${require("./node_modules/libsql/package.json").optionalDependencies[name]}`')
    "${npm[@]}" install --no-save "${options[@]}" "$binding"
    touch "$modules/complete"
  fi
}

use_node
modules=$cache/modules-$(digest "$proof/package.json")
use_promptfoo
use_python "$proof/requirements.txt" --no-deps
serve --unlimited
API=$(field baseUrl <<< "$banner") KEY=$(field apiKey <<< "$banner")
export API KEY
export PYTHONDONTWRITEBYTECODE=1 PROMPTFOO_DISABLE_TELEMETRY=1 PROMPTFOO_DISABLE_UPDATE=1 \
  PROMPTFOO_DISABLE_REMOTE_GENERATION=true

# promptfoo <file> <its results>: accepts exit codes 0 and 100, with which tests fail. Each run has folders of its own,
# so that two of them may run at once.
promptfoo() {
  local status=0
  PROMPTFOO_CONFIG_DIR=$2.folder "$node" --no-warnings "$modules/node_modules/promptfoo/dist/src/entrypoint.js" eval \
    --config "$1" --output "$2" --no-cache --no-write --no-table --no-progress-bar > "$2.log" 2>&1 || status=$?
  if [ "$status" != 0 ] && [ "$status" != 100 ] || [ ! -s "$2" ]; then
    echo "FAIL promptfoo ends with $status: $1"
    cat "$1" "$2.log"
    return 1
  fi
  rm -rf "$2.folder"
}
export -f promptfoo
export node modules

python3 "$proof/ask.py" "$proof/cases.json" "$scratch/asked"

echo "1 promptfoo runs the files as they are"
# Two at once; xargs fails if one does.
find "$scratch/asked" -name promptfooconfig.yaml -print0 |
  xargs -0 -P 2 -I {} bash -c 'promptfoo "$1" "${1%/*}/echoed.json"' _ {}

echo "2 promptfoo runs them on answers"
"$node" "$proof/merge.mjs" "$modules" "$scratch/asked"
promptfoo "$scratch/asked/merged.json" "$scratch/asked/answered.json"

echo "3 pytest runs them on answers"
"$venv/bin/python" "$proof/run_pytest.py" "$scratch/asked"

python3 "$proof/compare.py" "$scratch/asked"
echo "checks proof: passed"
