"""Reads `cargo metadata` and fails for a dependency without a permissive licence."""

import json
import re
import sys

PERMISSIVE = {
    "0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause",
    "BSL-1.0", "CC0-1.0", "CDLA-Permissive-2.0", "ISC", "MIT", "MIT-0", "OpenSSL", "Unicode-3.0",
    "Unlicense", "Zlib",
}


def permitted(expression: str) -> bool:
    """Whether a choice among the alternatives of an SPDX expression is permissive throughout."""
    expression = expression.replace("/", " OR ")
    tokens = re.findall(r"\(|\)|[A-Za-z0-9.+-]+(?: WITH [A-Za-z0-9.-]+)?", expression)
    position = 0

    def either() -> bool:
        nonlocal position
        value = both()
        while position < len(tokens) and tokens[position] == "OR":
            position += 1
            value = both() or value
        return value

    def both() -> bool:
        nonlocal position
        value = one()
        while position < len(tokens) and tokens[position] == "AND":
            position += 1
            value = one() and value
        return value

    def one() -> bool:
        nonlocal position
        token = tokens[position]
        position += 1
        if token == "(":
            value = either()
            position += 1
            return value
        return token in PERMISSIVE

    return either()


assert permitted("(MIT OR GPL-3.0) AND Unicode-3.0") and not permitted("MIT AND GPL-3.0")
packages = json.load(sys.stdin)["packages"]
refused = [
    f"{package['name']} {package['version']}: {package['license']}"
    for package in packages
    if not permitted(package["license"] or "none")
]
print(f"{len(packages)} packages, {len(refused)} without a permissive licence")
print("\n".join(refused), end="")
sys.exit(bool(refused))
