#!/usr/bin/env bash
# Deploys what `sam build` has made, with the official items of its library: deploy.sh <operator's tool>
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/deploy/environment.sh

admin=$(realpath "$1")
# What is given here replaces the environment's overrides, so that they are given, too.
deploy ${BOUNDARY:+--parameter-overrides "$(setting parameter_overrides) PermissionsBoundary=$BOUNDARY"}
use_operator
"$admin" library import
