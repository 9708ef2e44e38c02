"""The tables of infra/speed.md."""

from pathlib import Path

FILE = Path(__file__).resolve().parents[3] / "infra" / "speed.md"
# By what part a figure may differ from the table's.
TOLERANCE = 0.05


class Table:
    """Rows of figures, by the code or words in their first cell."""

    def __init__(self, heading):
        self.lines = FILE.read_text(encoding="utf-8").splitlines()
        at = self.lines.index(f"## {heading}")
        self.first = next(n for n in range(at, len(self.lines)) if self.lines[n].startswith("| "))
        self.columns = cells(self.lines[self.first])
        self.rows = {}
        for line in self.lines[self.first + 2 :]:
            if not line.startswith("| "):
                break
            name, *row = cells(line)
            self.rows[name] = row
        self.end = self.first + 2 + len(self.rows)

    def figure(self, name, column):
        """A figure of the table; zero if it has none."""
        try:
            return float(self.rows[name][self.columns.index(column) - 1])
        except (KeyError, ValueError):
            return 0.0

    def holds(self, name, column, figure):
        said = self.figure(name, column)
        return abs(figure - said) <= said * TOLERANCE

    def set(self, name, column, text):
        row = self.rows.setdefault(name, [""] * (len(self.columns) - 1))
        row[self.columns.index(column) - 1] = text

    def write(self):
        rows = [f"| {' | '.join([name, *row])} |" for name, row in self.rows.items()]
        self.lines[self.first + 2 : self.end] = rows
        FILE.write_text("\n".join(self.lines) + "\n", encoding="utf-8")


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]
