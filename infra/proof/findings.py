"""What a proof finds wrong, said at its end."""

import sys

found = []


def check(holds, finding):
    if not holds:
        found.append(finding)


def prove(*checks):
    """Fails with all that the checks find, each finding with the name of its check."""
    for each in checks:
        before = len(found)
        each()
        for finding in found[before:]:
            print(f"  {each.__name__}: {finding}", file=sys.stderr)
    if found:
        sys.exit(f"{len(found)} findings")
