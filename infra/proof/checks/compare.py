"""Compares what promptfoo and pytest said of each answer with the service's verdicts: compare.py <folder>"""

import collections
import itertools
import json
import pathlib
import sys

# What files can test. Each runner has to pass and to fail each, so that no case is there in vain and no file leaves one out.
KINDS = """
    word_count sentence_count paragraph_count character_count item_count section_count heading_count highlight_count
    placeholder_count word_frequency letter_frequency capital_word_frequency include_words exclude_words table_columns
    starts_with ends_with paragraph_start choice no_commas quotation_marks lowercase uppercase json_schema title
    separator postscript code_language format:json format:table format:numbered_list format:bullet_list
    format:code_block format:html format:xml
""".split()

folder = pathlib.Path(sys.argv[1])
differences = []
counts = collections.Counter()
seen = collections.Counter()


def read(path):
    return json.loads((folder / path).read_text(encoding="utf-8"))


def kind_of(check):
    return f"format:{check['parameters']['value']}" if check["kind"] == "format" else check["kind"]


def compare(runner, case, row, results):
    """Holds the results of a runner, by check, against the verdicts. None is a check that the file leaves out."""
    for check, verdict in zip(case["checks"], row["verdicts"], strict=True):
        result = results.pop(check["id"], None)
        if result is None:
            counts[f"{runner}, left out by the file"] += 1
        elif verdict == "undecided":
            counts[f"{runner}, undecided by the service"] += 1
        else:
            counts[f"{runner}, compared"] += 1
            seen[runner, kind_of(check), verdict] += 1
            if result != verdict:
                told = f"{check['id']} {kind_of(check)} {check['quote']!r} on {row['answer']!r}"
                differences.append(f"{runner}: {told}: {result}, the service {verdict}\n    {case['filled']!r}")
    if results:
        differences.append(f"{runner}: unknown results {results}: {case['filled']!r}")


def asserted(result):
    """The results of promptfoo's assertions by check."""
    parts = (result.get("gradingResult") or {}).get("componentResults") or []
    found = {}
    for part in parts:
        check = part["assertion"]["metric"].split()[0]
        # An assertion that cannot be run has failed, too.
        broken = "error" in part["reason"].lower() and part["assertion"]["type"] == "javascript"
        found[check] = part["reason"] if broken else "passed" if part["pass"] else "failed"
    return found


def tested(outcomes):
    """The outcomes of pytest's tests by check."""
    checks = {name.removeprefix("test_").split("_")[0]: outcome for name, outcome in outcomes.items()}
    return {check: outcome for check, outcome in checks.items() if outcome != "skipped"}


cases = {path.parent.name: read(path.relative_to(folder)) for path in sorted(folder.glob("*/case.json"))}
for name, case in cases.items():
    (echoed,) = read(f"{name}/echoed.json")["results"]["results"]
    output = (echoed.get("response") or {}).get("output")
    if output != case["filled"]:
        differences.append(f"promptfoo echoes {output!r}, the service fills {case['filled']!r}")

answered = read("answered.json")["results"]["results"]
outcomes = read("tested.json")
told = {result["vars"]["_answer"]: result for result in answered}
for name, case in cases.items():
    for index, row in enumerate(case["rows"]):
        result = told.pop(f"{name}/{index}")
        if (result.get("response") or {}).get("output") != row["answer"]:
            differences.append(f"promptfoo has another answer than {row['answer']!r}: {result.get('response')}")
        compare("promptfoo", case, row, asserted(result))
        compare("pytest", case, row, tested(outcomes[f"{name}/{index}"]))
for wanted in itertools.product(["promptfoo", "pytest"], KINDS, ["passed", "failed"]):
    if not seen[wanted]:
        differences.append(f"no case has {' '.join(wanted)}")

for what, number in sorted(counts.items()):
    print(f"{number:6} verdicts of {what}")
print(f"{len(cases)} prompts, {sum(len(case['rows']) for case in cases.values())} answers, {len(KINDS)} kinds")
differences += [f"promptfoo ran {name}, which is no case" for name in told]
if differences:
    sys.exit("\n".join([*differences, f"{len(differences)} differences"]))
