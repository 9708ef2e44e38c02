"""Holds infra/tables.md against what requests cost, and computes its dollars from the units and prices beside them.

costs.py <record> [--write]: fails if a figure is wrong, or corrects it, and with it those that docs/costs.md repeats. The
record is of tests/api/costs.rs; infra/proof/costs.sh makes it. It also looks for the files that the tables name.
"""

import re
import sys
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "infra/tables.md"
PAGE = ROOT / "docs/costs.md"
SOURCES = ROOT / "lib/store/src"
# "≥ 7 W": a bound, an amount, a unit.
PART = re.compile(r"([≤≥] )?(\d[\d.]*) ([A-Z])")
# Units that are measured. The others are of API Gateway and Lambda, and of files that callers send.
MEASURED = "WRQG"


def parts(cell):
    """The bound and the amount of each unit in a cell; None if it is said in words."""
    found = [PART.fullmatch(part) for part in cell.split(", ")]
    return {part[3]: (part[1] or "", Decimal(part[2])) for part in found} if all(found) else None


def right(bound, said, measured):
    """What is to be said instead of `said`, which may be a bound of what was measured."""
    holds = {"": said == measured, "≤ ": measured <= said, "≥ ": measured >= said}
    return said if holds[bound] else measured


def right_units(cell, measured):
    said = parts(cell)
    if said is None:
        return cell
    for unit in MEASURED:
        bound, amount = said.pop(unit, ("", Decimal(0)))
        amount = right(bound, amount, measured.get(unit, Decimal(0)))
        if bound or amount:
            said[unit] = (bound, amount)
    order = sorted(said, key="WRQPGAL".index)
    return ", ".join(f"{said[unit][0]}{said[unit][1].normalize():f} {unit}" for unit in order)


def right_trips(cell, measured):
    said = re.fullmatch(r"([≤≥] )?(\d+)", cell)
    return f"{said[1] or ''}{right(said[1] or '', int(said[2]), measured)}" if said else cell


def dollars(cell, prices):
    """What a cell of units costs, as text; None if it is said in words."""
    said = parts(cell)
    if said is None or not said.keys() <= prices.keys():
        return None
    bound = next((bound for bound, _ in said.values() if bound), "")
    total = sum(amount * prices[unit] for unit, (_, amount) in said.items())
    return f"{bound}{total.quantize(Decimal('0.01'), ROUND_HALF_UP)}"


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def row_of(line):
    return f"| {' | '.join(line)} |".replace("|  |", "| |")


def recorded(path):
    """What was measured of each row, by heading and first cell: trips and units."""
    found = {}
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        heading, name, trips, units = line.split("\t")
        found[heading, name] = int(trips), {u: amount for u, (_, amount) in (parts(units) or {}).items()}
    return found


def main(record, *options):
    lines = TABLES.read_text(encoding="utf-8").split("\n")
    prices = {
        row[0]: Decimal(row[2]) for row in map(cells, lines) if len(row) == 3 and re.fullmatch("[A-Z]", row[0])
    }
    measured, seen, findings, total = recorded(record), set(), [], {}
    heading, header = "", []
    for number, line in enumerate(lines):
        if line.startswith("## "):
            heading = line[3:]
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells(line)
        elif "units" in header and header[-1] == "$ per million" and not line.startswith("|---"):
            row = cells(line)
            row += [""] * (len(header) - len(row))
            said, at = list(row), {name: index for index, name in enumerate(header)}
            if "file" in at and not (SOURCES / row[at["file"]]).is_file():
                findings.append(f"{row[0]}: there is no {row[at['file']]}")
            if (heading, row[0]) in measured:
                if (heading, row[0]) in seen:
                    findings.append(f"{heading}: two rows are {row[0]}")
                seen.add((heading, row[0]))
                trips, units = measured[heading, row[0]]
                row[at["units"]] = right_units(row[at["units"]], units)
                if "trips" in at:
                    row[at["trips"]] = right_trips(row[at["trips"]], trips)
            row[-1] = dollars(row[at["units"]], prices) or "—"
            total[row[0]] = row[-1]
            if row != said:
                lines[number] = row_of(row)
                wrong = [f"{old or 'nothing'} should be {new}" for old, new in zip(said, row) if old != new]
                findings.append(f"{heading}, {row[0]}: {', '.join(wrong)}")
    findings += [f"{heading}: no row is {name}" for heading, name in measured.keys() - seen]
    page = PAGE.read_text(encoding="utf-8").split("\n")
    for number, row in enumerate(map(cells, page)):
        if len(row) == 2 and re.fullmatch(r"[\d.]+", row[1]) and row[1] != total.get(row[0]):
            findings.append(f"docs/costs.md, {row[0]}: {row[1]}, in infra/tables.md {total.get(row[0])}")
            page[number] = row_of([row[0], total.get(row[0], "—")])
    for finding in findings:
        print(f"  {finding}", file=sys.stderr)
    if "--write" in options:
        TABLES.write_text("\n".join(lines), encoding="utf-8")
        PAGE.write_text("\n".join(page), encoding="utf-8")
    elif findings or not seen:
        return f"{len(findings)} findings"
    print(f"costs proof: {len(seen)} rows measured, {len(total)} computed")
    return None


sys.exit(main(*sys.argv[1:]))
