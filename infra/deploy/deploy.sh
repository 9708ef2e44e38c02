#!/usr/bin/env bash
# Deploys what `sam build` has made.
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

deploy
