"""Computes the table of docs/design/scale.md from its assumptions and the units in infra/tables.md.

scale.py [--write]: fails if the table is not what it computes, or corrects it.
"""

import math
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/design/scale.md"
HEAD = "| part | limit | 1× | 20× | 1,000× | full at |\n|---|---|---|---|---|---|\n"
FACTORS = [1, 20, 1_000]
# Seconds that a request takes in its function.
READ, RULES, MODEL = 0.02, 0.1, 10
# Bytes of a log entry, and seconds that a reading of each log goes back.
ENTRY, CHANGES_OF, VOTES_OF = 77, 45, 11
# Entries of a vote: the request's and the indexer's. Each is written, and deleted once two snapshots have it.
ENTRIES_OF_A_VOTE = 2
# Library pages that an instance answers a second.
PAGES_OF_AN_INSTANCE = 20


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def units_of_requests():
    """The units of each kind of request by their letters."""
    rows = map(cells, (ROOT / "infra/tables.md").read_text(encoding="utf-8").split("\n"))
    return {
        row[0]: {unit[-1]: float(unit[:-2]) for unit in row[1].split(", ")}
        for row in rows
        if len(row) == 3 and re.fullmatch(r"[\d.]+ [A-Z](, [\d.]+ [A-Z])*", row[1])
    }


page = PAGE.read_text(encoding="utf-8")
units = units_of_requests()
rates = {row[0]: float(row[1]) for row in map(cells, page.split("\n")) if len(row) == 2 and row[0] in units}
pages, votes = rates["library pages, 30 items"], rates["votes, each counted by itself"]
publications = rates["publications"]
direct, deferred = [rate for kind, rate in rates.items() if kind.startswith("AI operations")]
reads = sum(rates.values()) - direct - deferred


def of_table(letter):
    return lambda factor: factor * sum(rate * units[kind].get(letter, 0) for kind, rate in rates.items())


def at_once(seconds):
    return lambda factor: factor * (reads * READ + direct * seconds)


def change_log(factor):
    entries = factor * publications * CHANGES_OF
    return factor * pages * max(1, math.ceil(entries * ENTRY / 4_096))


def vote_log(factor):
    instances = max(1, math.ceil(factor * pages / PAGES_OF_AN_INSTANCE))
    entries = factor * votes * ENTRIES_OF_A_VOTE * VOTES_OF
    return instances * max(0.5, math.ceil(entries * ENTRY / 4_096) / 2)


# What is used a second, or at once, at a factor of the load.
PARTS = [
    ("requests a second", 500, lambda factor: factor * sum(rates.values())),
    ("functions at once, rules", 1_000, at_once(RULES)),
    # A direct operation has the call's function, which waits, and the processor's.
    ("functions at once, language model", 1_000, at_once(2 * MODEL)),
    ("deferred operations at once, rules", 400, lambda factor: factor * deferred * RULES),
    ("operations at once, language model", 50, lambda factor: factor * (direct + deferred) * MODEL),
    ("batches of deliveries at once", 100, lambda factor: factor * (direct + deferred) / 10 * 0.5),
    ("the community's change log, R a second", 3_000, change_log),
    ("the community's vote log, R a second", 3_000, vote_log),
    ("the community's vote log, W a second", 1_000, lambda factor: factor * votes * ENTRIES_OF_A_VOTE * 2),
    ("the table, W a second", 40_000, of_table("W")),
    ("the table, R a second", 40_000, of_table("R")),
    ("the sum of what models cost, transactions a second", 800, lambda factor: factor * (direct + deferred)),
]


def full_at(limit, used):
    """The first factor at which a part is full."""
    factor = next((factor for factor in range(1, 1_000_000) if used(factor) >= limit), None)
    return f"{factor:,}×" if factor else "—"


lines = [
    f"| {part} | {limit:,} | {' | '.join(f'{used(factor):,.0f}' for factor in FACTORS)} | {full_at(limit, used)} |"
    for part, limit, used in PARTS
]
start = page.index(HEAD) + len(HEAD)
end = page.index("\n\n", start - 1) + 1
table = "\n".join(lines) + "\n"
if page[start:end] != table:
    if "--write" not in sys.argv:
        sys.exit(f"{PAGE.name} has another table than scale.py computes:\n{table}")
    PAGE.write_text(page[:start] + table + page[end:], encoding="utf-8")
print(f"scale proof: {len(lines)} parts")
