#!/usr/bin/env bash
# Opens the documentation page of the development server in headless Chromium and calls the API from it, works with the
# workbench, and leaves screenshots in the build folder: docs.png, and those of docs/images.
#
# Needs cargo and python3. The browser is that of CHROMIUM, else the one of npm (Linux on x86_64).
set -euo pipefail
cd "$(dirname "$0")/../.."
. infra/proof/tools.sh

use_node
use_modules infra/proof/docs
serve

# Modules are looked for beside the file that needs them; the browser is unpacked into TMPDIR.
cp infra/proof/docs/*.mjs "$modules"
unpacked=$modules/unpacked
[ -e "$unpacked/complete" ] || rm -rf "$unpacked"
mkdir -p "$unpacked"
TMPDIR=$unpacked "$node" "$modules/page.mjs" "$(field docsUrl <<< "$banner")" \
  "${CARGO_TARGET_DIR:-target}/docs.png"
TMPDIR=$unpacked "$node" "$modules/workbench.mjs" "$(field workbenchUrl <<< "$banner")" \
  "${CARGO_TARGET_DIR:-target}/images"
touch "$unpacked/complete"
echo "docs proof: passed"
