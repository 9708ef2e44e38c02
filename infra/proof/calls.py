"""Compares tests/calls.tsv, which says what each function calls, with what the acceptance tests saw.

calls.py <record> [--write]: fails unless they are the same, or writes the list. The record is of a whole run, into a
file that is new:

    RECORD_CALLS=/tmp/calls cargo test -p acceptance --test api
"""

import sys
from pathlib import Path

LIST = Path(__file__).resolve().parents[2] / "tests/calls.tsv"

record, *write = sys.argv[1:]
seen = {}
for line in Path(record).read_text(encoding="utf-8").splitlines():
    row, test = line.rsplit("\t", 1)
    seen[row] = min(test, seen.get(row, test))
if write == ["--write"]:
    LIST.write_text("".join(f"{row}\n" for row in sorted(seen)), encoding="utf-8")
listed = set(LIST.read_text(encoding="utf-8").splitlines())
findings = [f"not in the list: {' '.join(row.split())}, in {seen[row]}" for row in sorted(set(seen) - listed)]
findings += [f"in no test: {' '.join(row.split())}" for row in sorted(listed - set(seen))]
for finding in findings:
    print(f"  {finding}", file=sys.stderr)
if findings or not seen:
    sys.exit(f"{LIST.name}: {len(findings)} findings in {len(seen)} calls")
print(f"calls proof: {len(seen)} calls")
