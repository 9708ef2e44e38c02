"""Prints the README's calls of the API as one script that ends at the first that fails.

readme.py <base address> <API key> <client secret> <address of a page>

Left out is what starts programs, and the cancellation, which usually comes too late.
"""

import re
import sys

api, key, secret, page = sys.argv[1:]
text = open("README.md", encoding="utf-8").read()
calls = text[text.index("## A first call") : text.index("## Engines")]
blocks = re.findall(r"^```sh\n(.*?)^```", calls, re.MULTILINE | re.DOTALL)
# What an MCP client does, infra/proof/mcp.sh proves.
blocks = [block for block in blocks if "cargo run" not in block and "npx " not in block]
script = "".join(blocks)
for old, new in [
    ("pwk_…", key),
    ("http://127.0.0.1:9400/v1", api),
    ("http://127.0.0.1:9400", api.removesuffix("/v1")),
    ("client:SECRET", f"client:{secret}"),
    ("https://example.com/", page),
]:
    assert old in script, f"README.md has no {old}"
    script = script.replace(old, new)
script = "".join(line for line in script.splitlines(True) if "# or cancel" not in line)
print(
    """set -euo pipefail
curl() {
  # Also those in pipes and substitutions.
  command curl --fail-with-body --show-error "$@" || { echo "README: curl $*" >> failed; return 1; }
}
"""
    + script
    + '\n[ ! -e failed ]\necho; echo "README: passed"'
)
print(f"{len(blocks)} blocks, {script.count('curl ')} calls by name", file=sys.stderr)
