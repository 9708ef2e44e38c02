"""Writes the calls of README.md and of docs/*.md as scripts, one a page, that end at the first call that fails.

pages.py <folder> <base address> <API key> <client secret> <address of a web page>

A page is for a reader who has seen no other one, so its script begins with nothing: each variable and function that
a block uses is set on the same page. A block that starts a program or needs AWS is not run; it must not call the
API as well, since those calls would never be tried. An answer that a page shows after a block, as `json`, is
compared with what the block prints: answers.py says how.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A command at the beginning of a line, of a substitution, or after |, && or ;, with variables before it or not.
# `output` is docs/deploy.md's way to ask AWS.
PROGRAM = re.compile(
    r"(?m)(?:^|\$\(|<\(|[|;{]|&&)[ \t]*(?:\w+=\S*\s+)*"
    r"(?:cargo|sam|aws|npx|npm|pip|rustup|docker|podman|git|gh|output|\.ci/\S+|infra/proof/\S+)\s"
)
BLOCK = re.compile(r"^ *```(\w+)\n(.*?)^ *```", re.MULTILINE | re.DOTALL)
# What a call's line says that may be refused.
MAY_FAIL = re.compile(r"#.*\b4\d\d\b")

BEGINNING = """set -euo pipefail
curl() {
  # Also those in pipes and substitutions.
  command curl --fail-with-body --show-error "$@" || { echo "curl $*" >> failed; return 1; }
}
"""
END = '[ ! -e failed ] || { cat failed; exit 1; }\n'


def script(page, placeholders):
    """The page's calls, or None if it has none; and how many blocks are not run."""
    text, parts, left_out = page.read_text(encoding="utf-8"), [], 0
    answers = ROOT / "infra/proof/answers.py"
    blocks = BLOCK.findall(text)
    for index, (language, block) in enumerate(blocks):
        if language != "sh":
            continue
        if PROGRAM.search(block):
            if re.search(r"\$API\b", block):
                sys.exit(f"{page.name}: a block starts a program and calls the API: nothing would run its calls")
            left_out += 1
            continue
        for old, new in placeholders.items():
            if old in block:
                block = block.replace(old, new)
                used.add(old)
        block = "".join(
            line.replace("curl ", "command curl ") if MAY_FAIL.search(line) else line
            for line in block.splitlines(True)
        )
        parts.append(f"{{\n{block}}} > printed\ncat printed; echo\n")
        if index + 1 < len(blocks) and blocks[index + 1][0] == "json":
            shown = Path(folder, f"{page.stem}.{index + 1}.json")
            shown.write_text(blocks[index + 1][1], encoding="utf-8")
            parts.append(f'"{sys.executable}" "{answers}" "{shown}" printed\n')
    return (BEGINNING + "".join(parts) + END if parts else None), left_out


folder, api, key, secret, web_page = sys.argv[1:]
used = set()
placeholders = {
    "pwk_…": key,
    "http://127.0.0.1:9400/v1": api,
    "http://127.0.0.1:9400": api.removesuffix("/v1"),
    "client:SECRET": f"client:{secret}",
    "https://example.com/": web_page,
}
for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]:
    calls, left_out = script(page, placeholders)
    if calls:
        Path(folder, f"{page.stem}.sh").write_text(calls, encoding="utf-8")
        print(f"{page.name}: {calls.count('> printed')} blocks run, {left_out} not", file=sys.stderr)
if unused := set(placeholders) - used:
    sys.exit(f"no page has {unused}")
