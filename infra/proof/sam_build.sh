#!/usr/bin/env bash
# Builds functions as a deployment does - SAM, its method rust-cargolambda, cargo-lambda - and looks at what it
# would upload, and starts it. For x86_64: arm64 needs a toolchain and a processor that are not everywhere.
#
#   sam_build.sh                one function, System, unoptimised: proves the method
#   sam_build.sh Prompts …      these, unoptimised
#   sam_build.sh --all          every function, optimised: minutes each
#
# Needs cargo and python3 (3.11 or later); SAM and cargo-lambda come from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_python infra/proof/requirements-build.txt --no-deps
PATH=$venv/bin:$PATH
use_python infra/proof/requirements.txt --no-deps

# Cargo itself compiles: machine and target are the same.
export CARGO_LAMBDA_COMPILER=cargo AWS_DEFAULT_REGION=us-east-1 SAM_CLI_TELEMETRY=0
unset AWS_PROFILE
if [ "${1:-}" = --all ]; then
  functions=()
else
  functions=("${@:-System}")
  export SAM_BUILD_MODE=debug
fi

built=$scratch/built
build() {
  "$venv/bin/sam" build "$@" --config-file "$PWD/samconfig.toml" --parameter-overrides Architecture=x86_64 \
    --build-dir "$built" > "$built.log" 2>&1 || { tail -n 60 "$built.log"; rm "$built.log"; exit 1; }
  rm "$built.log"
  "$venv/bin/python" infra/proof/artifacts.py "$built" "$@"
  "$venv/bin/python" infra/proof/start_built.py "$built" "$@"
}
if [ ${#functions[@]} = 0 ]; then
  build
else
  # SAM takes the name of one function at a time.
  for function in "${functions[@]}"; do build "$function"; done
fi
