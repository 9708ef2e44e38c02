"""Runs pytest on the exported file of every case, once for each answer: run_pytest.py <folder>

The runs are in two processes. `tested.json` has for each case and answer the outcome of every test.
"""

import concurrent.futures
import contextlib
import io
import json
import os
import pathlib
import sys

import pytest


class Outcomes:
    """Collects the outcome of each test; an error in a fixture or in the file is one as well."""

    def __init__(self):
        self.of = {}

    def pytest_runtest_logreport(self, report):
        name = report.nodeid.rsplit("::", 1)[-1]
        if report.when == "call" or report.outcome != "passed":
            self.of[name] = report.outcome if report.when == "call" or report.skipped else "error"

    def pytest_collectreport(self, report):
        if report.failed:
            self.of[report.nodeid] = f"error: {report.longreprtext}"


def run(case):
    """The outcomes of a case, by answer."""
    found = {}
    for row in range(len(list(case.glob("answer-*.txt")))):
        os.environ["ANSWER_FILE"] = str(case / f"answer-{row}.txt")
        outcomes = Outcomes()
        # The file of another case has the same name.
        sys.modules.pop("test_prompt", None)
        options = ["-q", "-p", "no:cacheprovider", "--assert=plain", f"--rootdir={case}", "-c", os.devnull]
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            status = pytest.main([*options, str(case / "test_prompt.py")], plugins=[outcomes])
        # 5: no test in it.
        if status not in (0, 1, 5):
            raise RuntimeError(f"pytest ends with {status}: {case}\n{printed.getvalue()}")
        found[f"{case.name}/{row}"] = outcomes.of
    return found


if __name__ == "__main__":
    folder = pathlib.Path(sys.argv[1])
    tested = {}
    with concurrent.futures.ProcessPoolExecutor(2) as executor:
        for found in executor.map(run, sorted(folder.glob("[0-9]*"))):
            tested |= found
    (folder / "tested.json").write_text(json.dumps(tested), encoding="utf-8")
