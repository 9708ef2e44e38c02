"""Sends the same requests to two makers' DynamoDB, S3 and SQS and compares their answers.

    python compare.py OURS OTHER [-v]      each as DYNAMODB,S3,SQS: the addresses of its services

Both have the resources of a deployment, and are new. Status, error code and content are compared; identifiers, times
and wording may differ. A row of the table in docs/design/hosts.md judges each case that differs; any other fails.
"""

import pathlib
import sys

# Each registers its cases.
import expressions
import items
import objects
import queues
from services import CASES, Services, shape

PAGE = pathlib.Path(__file__).parents[3] / "docs/design/hosts.md"


def differences(ours, other, path=""):
    """Each place at which two answers differ."""
    if isinstance(ours, dict) and isinstance(other, dict):
        for name in sorted(ours.keys() | other.keys()):
            yield from differences(ours.get(name), other.get(name), f"{path}.{name}")
    elif isinstance(ours, list) and isinstance(other, list) and len(ours) == len(other):
        for position, (one, two) in enumerate(zip(ours, other, strict=True)):
            yield from differences(one, two, f"{path}[{position}]")
    elif ours != other:
        yield path, ours, other


def main():
    ours, other = map(Services, sys.argv[1:3])
    judged = {line.removeprefix("| ").split(" | ")[0] for line in PAGE.read_text().splitlines()}
    differing = set()
    for name, function in CASES.items():
        for path, one, two in differences(shape(function(ours)), shape(function(other))):
            if name not in judged or "-v" in sys.argv:
                print(f"{name}{path}: {str(one)[:150]} | {str(two)[:150]}")
            differing.add(name)
    unjudged, settled = sorted(differing - judged), sorted((judged & CASES.keys()) - differing)
    print(f"{len(CASES)} comparisons, {len(differing)} with differences; not judged: {unjudged}; no longer: {settled}")
    sys.exit(bool(unjudged or settled))


if __name__ == "__main__":
    main()
