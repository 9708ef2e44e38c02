"""Compares an answer that a page shows with the one that came.

answers.py <file with the shown answer> <file with what was printed>

A shown answer is shortened: an object may lack members, a text that ends in … is the beginning of one, and a list
that ends in "…" goes on. Everything else must be as it came. Of several JSON values that were printed, the last
counts.
"""

import json
import sys
from pathlib import Path


def differences(shown, came, where="$"):
    """Where a shown value is not what came."""
    if isinstance(shown, dict) and isinstance(came, dict):
        for name, value in shown.items():
            if name in came:
                yield from differences(value, came[name], f"{where}.{name}")
            else:
                yield f"{where}: has no {name}"
    elif isinstance(shown, list) and isinstance(came, list):
        goes_on = shown[-1:] == ["…"]
        shown = shown[:-1] if goes_on else shown
        if len(came) < len(shown) or (len(came) > len(shown) and not goes_on):
            yield f"{where}: {len(shown)} items are shown, {len(came)} came"
        for index, (one, other) in enumerate(zip(shown, came)):
            yield from differences(one, other, f"{where}[{index}]")
    elif isinstance(shown, str) and shown.endswith("…") and isinstance(came, str):
        if not came.startswith(shown[:-1]):
            yield f"{where}: came as {came[: len(shown) + 20]!r}"
    elif shown != came or type(shown) is not type(came):
        yield f"{where}: came as {came!r}"


def last_value(text):
    """The last JSON object in a text that may have other things before it."""
    decoder, position, last = json.JSONDecoder(), 0, None
    while (position := text.find("{", position)) >= 0:
        try:
            last, position = decoder.raw_decode(text, position)
        except json.JSONDecodeError:
            position += 1
    return last


shown, printed = (Path(name).read_text(encoding="utf-8") for name in sys.argv[1:])
wrong = list(differences(json.loads(shown), last_value(printed)))
for difference in wrong:
    print(f"  {difference}", file=sys.stderr)
if wrong:
    sys.exit("the answer on the page is not the one that comes")
