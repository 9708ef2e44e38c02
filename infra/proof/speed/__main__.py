"""Measures the starts and requests of functions, and holds them against infra/speed.md; see ../speed.sh.

    speed <folder of unoptimised programs> <debug or release> [--write] [<function> …]

Needs the environment of the functions, with API_KEY.
"""

import statistics
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1]))

from events import compact_official, event, first_events, requests  # noqa: E402
from functions import Function  # noqa: E402
from tables import FILE, Table  # noqa: E402

# Starts whose median time and memory count.
STARTS = 11
# Requests before those that are counted, and the counted ones.
WARM_UP, COUNTED = 3, 5
# How often a function is counted; the least counts. The first request of a minute makes one more call, and a busy
# machine makes the SDK try a call again.
TRIES = 3


# Programs that read all root certificates of the machine: their starts are shown, but not held.
READ_ROOTS = {"`sample`", "`deliveries`"}
# Programs that read the official library when they start.
READ_LIBRARY = {"library", "mcp"}


class Measurement:
    """What is measured of the programs of one profile."""

    def __init__(self, programs, profile):
        self.programs, self.is_optimised = programs, profile == "release"
        of_profile = "" if self.is_optimised else ", unoptimised"
        self.start, self.each, self.allocated = (
            what + of_profile for what in ["M instructions", "K instructions", "allocations"]
        )

    def counted(self, path, first, asked):
        """Figures that are the same each time: [(table, row, column, figure, digits)]"""
        with Function(self.programs / path, is_counted=True) as function:
            function.invoke(first)
            figures = [("Starts", name_of(path), self.start, function.count()[0] / 1e6, 1)]
            for request, make in asked.items():
                for _ in range(WARM_UP):
                    function.invoke(make())
                function.count()
                for _ in range(COUNTED):
                    function.invoke(make())
                instructions, allocations = function.count()
                figures.append(("Requests", request, self.each, instructions / COUNTED / 1e3, 0))
                figures.append(("Requests", request, self.allocated, allocations / COUNTED, 0))
        return figures

    def started(self, path, first):
        """Megabytes of resident memory, and seconds until the first answer."""
        memory, times = [], []
        for _ in range(STARTS):
            with Function(self.programs / path) as function:
                times.append(function.invoke(first)[1])
                memory.append(function.peak() / 1e6)
        return statistics.median(memory), statistics.median(times)


def name_of(path):
    return f"`{Path(path).name}`"


def main(folder, profile, *options):
    is_written, only = "--write" in options, [option for option in options if option != "--write"]
    programs = Path(folder).parent / profile
    measurement = Measurement(programs, profile)
    tables = {heading: Table(heading) for heading in ["Starts", "Requests"]}
    asked = requests(Path(folder))
    health = ("health", event("GET", "/v1/health"))
    first = {"examples/hello": health, "examples/sample": health} | first_events()
    hello = measurement.started("examples/hello", health[1])[1] if measurement.is_optimised else None
    problems = []

    def missed(heading, row, column, figure, digits):
        is_held = heading != "Starts" or row not in READ_ROOTS
        return not is_written and is_held and not tables[heading].holds(row, column, figure)

    for path, (event_name, text) in first.items():
        if only and Path(path).name not in only:
            continue
        if path in READ_LIBRARY:
            compact_official(Path(folder))
        figures = measurement.counted(path, text, asked.get(path, {}))
        for _ in range(1, TRIES):
            if not is_written and not any(missed(*figure) for figure in figures):
                break
            again = measurement.counted(path, text, asked.get(path, {}))
            figures = [min(pair, key=lambda figure: figure[3]) for pair in zip(figures, again)]
        if measurement.is_optimised:
            memory, seconds = measurement.started(path, text)
            hello = seconds if path == "examples/hello" else hello
            size = (programs / path).stat().st_size / 1e6
            figures.append(("Starts", name_of(path), "MB resident", memory, 1))
            figures.append(("Starts", name_of(path), "MB on disk", size, 1))
            # Shown, but not held: it depends on what else the machine does.
            tables["Starts"].set(name_of(path), "time, hello = 1", f"{seconds / hello:.1f}")
        tables["Starts"].set(name_of(path), "event", event_name)
        for heading, row, column, figure, digits in figures:
            said = f"{row}: {figure:.{digits}f} {column}"
            print(said, flush=True)
            if missed(heading, row, column, figure, digits):
                problems.append(f"{said}, {tables[heading].figure(row, column)} in {FILE.name}")
            tables[heading].set(row, column, f"{figure:.{digits}f}")
    if is_written:
        for table in tables.values():
            table.write()
    return "\n".join(problems) or None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
