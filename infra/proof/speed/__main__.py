"""Measures the starts and requests of functions, and holds them against infra/speed.md; see ../speed.sh.

    speed <folder of programs> <debug or release> [--write]

Needs the environment of the functions, with API_KEY.
"""

import os
import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from events import event, first_events, requests  # noqa: E402
from functions import Function  # noqa: E402
from tables import FILE, Table  # noqa: E402

# Starts whose median time and memory count.
STARTS = 11
# Requests before those that are counted, and the counted ones.
WARM_UP, COUNTED = 3, 5
# Another build of a program has other counts, and so has another moment: by how often it is counted until it holds.
TRIES = 3


def counted(program, first, asked):
    """Millions of instructions of a start; those of each request, in thousands, with its allocations."""
    with Function(program, is_counted=True) as function:
        function.invoke(first)
        start = function.count()[0] / 1e6
        figures = {}
        for name, make in asked.items():
            for _ in range(WARM_UP):
                function.invoke(make())
            function.count()
            for _ in range(COUNTED):
                function.invoke(make())
            instructions, allocations = function.count()
            figures[name] = (instructions / COUNTED / 1e3, allocations / COUNTED)
    return start, figures


def started(program, first):
    """Megabytes of resident memory, and seconds until the first answer."""
    memory, times = [], []
    for _ in range(STARTS):
        with Function(program) as function:
            times.append(function.invoke(first)[1])
            memory.append(function.peak() / 1e6)
    return statistics.median(memory), statistics.median(times)


def main(folder, profile, mode=None):
    programs = Path(folder)
    suffix = "" if profile == "release" else ", unoptimised"
    instructions, thousands, allocations = (
        f"{what}{suffix}" for what in ["M instructions", "K instructions", "allocations"]
    )
    starts, table = Table("Starts"), Table("Requests")
    asked = requests(programs)
    health = ("health", event("GET", "/v1/health"))
    first = {"examples/hello": health, "examples/sample": health} | first_events()
    compared = None
    problems = []

    def note(rows, name, column, figure, digits=1, is_held=True):
        print(f"{name}: {figure:.{digits}f} {column}", flush=True)
        if mode == "--write":
            rows.set(name, column, f"{figure:.{digits}f}")
        elif is_held and not rows.holds(name, column, figure):
            problems.append(f"{name}: {figure:.{digits}f} {column}, {rows.figure(name, column)} in {FILE.name}")

    for path, (event_name, text) in first.items():
        program = programs / path
        name = f"`{program.name}`"
        for _ in range(TRIES):
            start, figures = counted(program, text, asked.get(path, {}))
            if mode == "--write" or (
                starts.holds(name, instructions, start)
                and all(table.holds(what, thousands, count[0]) for what, count in figures.items())
            ):
                break
        if mode == "--write":
            starts.set(name, "event", event_name)
        note(starts, name, instructions, start)
        for what, (count, allocated) in figures.items():
            note(table, what, thousands, count, 0)
            note(table, what, allocations, allocated, 0)
        if profile == "release":
            memory, seconds = started(program, text)
            compared = compared or seconds
            note(starts, name, "MB resident", memory)
            note(starts, name, "MB on disk", program.stat().st_size / 1e6)
            note(starts, name, "time, hello = 1", seconds / compared, is_held=False)
    if mode == "--write":
        starts.write()
        rows = table.rows
        table = Table("Requests")
        table.rows = rows
        table.write()
    return "\n".join(problems) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
