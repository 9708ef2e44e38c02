"""Computes the dollars of infra/tables.md from the units and prices beside them.

prices.py [--write]: fails if a figure is wrong, or corrects it. It also looks for the files that the tables name, and
for the figures that docs/costs.md repeats.
"""

import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "infra/tables.md"
SOURCES = ROOT / "lib/store/src"
# "≥ 1 + 7 W": a bound, the parts of a sum, a unit.
PART = re.compile(r"([≤≥] )?(\d[\d.]*(?: \+ \d[\d.]*)*) ([A-Z])")


def dollars(units, prices):
    """What a cell of units costs; None if it is said in words."""
    total, bound = Decimal(0), ""
    for part in units.split(", "):
        found = PART.fullmatch(part)
        if not found or found[3] not in prices:
            return None
        bound = found[1] or bound
        total += sum(map(Decimal, found[2].split(" + "))) * prices[found[3]]
    return f"{bound}{total.quantize(Decimal('0.01'), ROUND_HALF_UP)}"


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


lines = TABLES.read_text(encoding="utf-8").split("\n")
prices = {
    row[0]: Decimal(row[2]) for row in map(cells, lines) if len(row) == 3 and re.fullmatch("[A-Z]", row[0])
}
header, findings, computed = [], [], 0
for number, line in enumerate(lines):
    if not line.startswith("|"):
        header = []
    elif not header:
        header = cells(line)
    elif "units" in header and header[-1] == "$ per million" and not line.startswith("|---"):
        row = cells(line)
        row += [""] * (len(header) - len(row))
        if "file" in header and not (SOURCES / row[header.index("file")]).is_file():
            findings.append(f"{row[0]}: there is no {row[header.index('file')]}")
        right = dollars(row[header.index("units")], prices)
        computed += right is not None
        if row[-1] != (right or "—"):
            if "--write" in sys.argv:
                lines[number] = f"| {' | '.join(row[:-1])} | {right or '—'} |".replace("|  |", "| |")
            else:
                findings.append(f"{row[0]}: {row[-1] or 'nothing'}, but its units come to {right or 'no figure'}")
if "--write" in sys.argv:
    TABLES.write_text("\n".join(lines), encoding="utf-8")
there = {(row[0], row[-1]) for row in map(cells, lines) if len(row) == 3}
for row in map(cells, (ROOT / "docs/costs.md").read_text(encoding="utf-8").split("\n")):
    if len(row) == 2 and re.fullmatch(r"[\d.]+", row[1]) and tuple(row) not in there:
        findings.append(f"docs/costs.md: {row[0]}: {row[1]} is not in infra/tables.md")
for finding in findings:
    print(f"  {finding}", file=sys.stderr)
if findings or not computed:
    sys.exit(f"{len(findings)} findings, {computed} figures")
print(f"prices proof: {computed} figures")
