#!/usr/bin/env bash
# Deploys what `sam build` has made for ARCHITECTURE.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

# Overrides on the command line replace those of samconfig.toml, so that both are given. What neither names keeps
# its value.
read -ra overrides <<< "$(setting parameter_overrides)"
deploy --parameter-overrides "${overrides[@]}" "Architecture=${ARCHITECTURE:?arm64 or x86_64}"
