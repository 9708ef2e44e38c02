"""The tables of infra/speed.md."""

from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "infra" / "speed.md"
# By what part a figure may exceed the table's.
TOLERANCE = 0.05


class Table:
    """The table below a heading: rows by their first cell."""

    def __init__(self, heading):
        self.heading = heading
        lines = FILE.read_text(encoding="utf-8").splitlines()
        self.columns = cells(lines[self.beginning(lines) - 2])
        self.rows = {row[0]: row for row in map(cells, self.body(lines))}

    def beginning(self, lines):
        """The index of the first row."""
        heading = lines.index(f"## {self.heading}")
        return next(index for index in range(heading, len(lines)) if lines[index].startswith("|---")) + 1

    def body(self, lines):
        first = self.beginning(lines)
        last = next((index for index in range(first, len(lines)) if not lines[index].startswith("|")), len(lines))
        return lines[first:last]

    def figure(self, row, column):
        """A figure; zero if there is none."""
        text = self.rows.get(row, [""] * len(self.columns))[self.columns.index(column)]
        return float(text or 0)

    def holds(self, row, column, figure):
        said = self.figure(row, column)
        return figure <= said * (1 + TOLERANCE)

    def set(self, row, column, text):
        self.rows.setdefault(row, [row] + [""] * (len(self.columns) - 1))[self.columns.index(column)] = text

    def write(self):
        lines = FILE.read_text(encoding="utf-8").splitlines()
        first = self.beginning(lines)
        lines[first : first + len(self.body(lines))] = [f"| {' | '.join(row)} |" for row in self.rows.values()]
        FILE.write_text("\n".join(lines) + "\n", encoding="utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
