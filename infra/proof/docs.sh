#!/usr/bin/env bash
# Opens the documentation page of the development server in headless Chromium, calls the API from it, and
# leaves a screenshot in the build folder: docs.png.
#
# Needs cargo and python3. The browser is that of CHROMIUM, else the one of npm (Linux on x86_64).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

use_node
use_modules infra/proof/docs
serve

# Modules are looked for beside the file that needs them; the browser is unpacked into TMPDIR.
cp infra/proof/docs/page.mjs "$modules/page.mjs"
unpacked=$modules/unpacked
[ -e "$unpacked/complete" ] || rm -rf "$unpacked"
mkdir -p "$unpacked"
TMPDIR=$unpacked "$node" "$modules/page.mjs" "$(field docsUrl <<< "$banner")" \
  "${CARGO_TARGET_DIR:-target}/docs.png"
touch "$unpacked/complete"
echo "docs proof: passed"
