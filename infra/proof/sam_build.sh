#!/usr/bin/env bash
# Builds functions as a deployment does - SAM, its method rust-cargolambda, cargo-lambda - and looks at what it would
# upload:
#
#   sam_build.sh         builds one function, System, unoptimised, for the template's processor
#   sam_build.sh --all   builds every function for x86_64, optimised, minutes each, and starts them with the variables
#                        that the built template gives them
#   sam_build.sh --sizes builds every function for the template's processor, optimised, and prints the sizes
#
# Needs cargo, rustup and python3 (3.11 or later); SAM, cargo-lambda and its linker come from PyPI once.
set -euo pipefail
cd "$(dirname "$0")/../.."

. infra/proof/tools.sh
use_sam

export SAM_CLI_TELEMETRY=0
unset AWS_PROFILE

# build <processor> <options of sam build>
build() {
  local processor=$1 built=$scratch/$1
  shift
  mkdir -p "$built/infra"
  cp infra/watch.yaml "$built/infra"
  sed "s/ Architectures: .*/ Architectures: [$processor]/" template.yaml > "$built/template.yaml"
  "$venv/bin/sam" build "$@" --config-file "$PWD/samconfig.toml" --template-file "$built/template.yaml" \
    --base-dir "$PWD" --build-dir "$built/build" > "$built.log" 2>&1 || { tail -n 60 "$built.log"; exit 1; }
  "$venv/bin/python" infra/proof/artifacts.py "$built/build" "$processor" "$@"
}

processor=$(sed -n 's/^ *Architectures: \[\(.*\)\]$/\1/p' template.yaml)
[ "$processor" = arm64 ] && [ "${1:-}" != --all ] && rustup --quiet target add aarch64-unknown-linux-gnu

if [ "${1:-}" = --sizes ]; then
  build "$processor"
elif [ "${1:-}" = --all ]; then
  # Cargo itself compiles: machine and target are the same.
  CARGO_LAMBDA_COMPILER=cargo build x86_64
  "$venv/bin/python" infra/proof/start_built.py "$scratch/x86_64/build"
else
  # Neither optimised nor with what a debugger needs: it is linked and looked at.
  SAM_BUILD_MODE=debug CARGO_PROFILE_DEV_DEBUG=0 build "$processor" System
fi
echo "sam build proof: passed"
