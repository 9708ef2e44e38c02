"""Asks the service for the files and the verdicts of all cases.

    ask.py cases.json <folder>

A case is a prompt, the values of its variables, and answers that pass all checks that can be decided, and answers that
fail some. Its folder has the two exported files, its answers as files, and `case.json`: the filled prompt, the answers
and their verdicts.
"""

import json
import os
import pathlib
import sys
import urllib.request

API, KEY = os.environ["API"], os.environ["KEY"]


def post(path, body):
    headers = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
    request = urllib.request.Request(API + path, json.dumps(body).encode(), headers)
    with urllib.request.urlopen(request, timeout=30) as response:
        return response.read()


def ask(case, folder):
    """Writes the folder of a case; returns what is wrong with the case itself."""
    folder.mkdir(parents=True)
    body = {"prompt": case["prompt"], "values": case.get("values", {})}
    for format, name in [("promptfoo", "promptfooconfig.yaml"), ("pytest", "test_prompt.py")]:
        (folder / name).write_bytes(post(f"/prompts/checks/export?format={format}", body))
    filled = json.loads(post("/prompts/checks", body))["data"]["prompt"]
    answers = case["pass"] + case["fail"]
    run = json.loads(post("/prompts/checks/run", body | {"outputs": answers}))["data"]
    checks = [entry["check"] for entry in run["checks"]]
    rows = []
    problems = []
    for index, (answer, output) in enumerate(zip(answers, run["outputs"], strict=True)):
        (folder / f"answer-{index}.txt").write_bytes(answer.encode())
        verdicts = [verdict["verdict"] for verdict in output["verdicts"]]
        if ("failed" in verdicts) == (index < len(case["pass"])):
            expected = "pass" if index < len(case["pass"]) else "fail"
            problems.append(f"{case['prompt']!r}: {answer!r} should {expected}: {verdicts}")
        rows.append({"answer": answer, "verdicts": verdicts})
    written = {"filled": filled, "checks": checks, "rows": rows}
    (folder / "case.json").write_text(json.dumps(written), encoding="utf-8")
    return problems


cases = json.loads(pathlib.Path(sys.argv[1]).read_text(encoding="utf-8"))
problems = []
for number, case in enumerate(cases):
    problems += ask(case, pathlib.Path(sys.argv[2]) / f"{number:03}")
if problems:
    sys.exit("\n".join(problems))
