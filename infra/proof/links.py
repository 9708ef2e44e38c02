"""Follows every relative link of every Markdown file: the file and the heading that it names must be there.

links.py [root of the repository]

Addresses on the web are not looked at. Every page in docs/ must have a link in docs/README.md.
"""

import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parents[2]).resolve()
# [text](target), [text](<target> "title"), ![image](target); and [label]: target, which texts refer to.
INLINE = re.compile(r"\]\(\s*<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"(?m)^ {0,3}\[[^\]]+\]:\s+<?(\S+?)>?(?:\s|$)")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:|^//", re.IGNORECASE)


def prose(text):
    """A file's text without its blocks of code."""
    return re.sub(r"(?ms)^ {0,3}(```+|~~~+).*?^ {0,3}\1[ \t]*$", "", text)


def anchors(text):
    """Names under which GitHub's pages know the headings of a file, and its own <a id="…">."""
    names, seen = set(), {}
    for heading in re.findall(r"(?m)^#{1,6}[ \t]+(.*?)[ \t]*#*$", prose(text)):
        heading = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", heading.replace("`", "").strip().lower()).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        names.add(f"{name}-{count}" if count else name)
    return names | set(re.findall(r"<a\s+(?:id|name)=\"([^\"]+)\"", text))


def files():
    """All Markdown files that belong to the repository, those that are not committed yet, too."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z", "--", "*.md"],
        cwd=ROOT, capture_output=True, check=True, text=True,
    )
    return sorted(path for name in listed.stdout.split("\0") if name and (path := ROOT / name).exists())


def broken(path):
    text = path.read_text(encoding="utf-8")
    # Code within a line is no link.
    plain = re.sub(r"(`+)[^`].*?\1", "", prose(text))
    for target in INLINE.findall(plain) + REFERENCE.findall(plain):
        if ELSEWHERE.match(target):
            continue
        name, _, anchor = unquote(target).partition("#")
        file = ROOT / name.lstrip("/") if name.startswith("/") else path.parent / name if name else path
        if not file.exists():
            yield f"{target}: there is no such file"
        elif not file.resolve().is_relative_to(ROOT):
            yield f"{target}: leaves the repository"
        elif anchor and file.suffix == ".md" and anchor not in anchors(file.read_text(encoding="utf-8")):
            yield f"{target}: there is no such heading"


findings = [f"{path.relative_to(ROOT)}: {finding}" for path in files() for finding in broken(path)]
index = ROOT / "docs/README.md"
if index.exists():
    linked = set(INLINE.findall(index.read_text(encoding="utf-8")))
    findings += [
        f"docs/README.md: does not name {page.name}"
        for page in sorted(index.parent.glob("*.md"))
        if page != index and page.name not in linked
    ]
for finding in findings:
    print(f"  {finding}", file=sys.stderr)
if findings:
    sys.exit(f"{len(findings)} broken links")
print(f"links proof: {len(files())} files, no broken link")
