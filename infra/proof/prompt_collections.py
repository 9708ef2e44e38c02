#!/usr/bin/env python3
"""Writes prompts of public collections as JSON lines, for measurements on prompts that nobody here has written.

usage: prompt_collections.py OUT.jsonl [--cache DIR]

The collections are packages under the MIT and Apache 2.0 licences, at pinned versions and digests. A package is
only read: its Python files are parsed for string literals, and never run.
"""
import argparse
import ast
import collections
import hashlib
import json
import re
import subprocess
import sys
import textwrap
import zipfile
from pathlib import Path


def members(archive, pattern):
    """The members whose paths match, in the order of their paths."""
    with zipfile.ZipFile(archive) as wheel:
        for name in sorted(name for name in wheel.namelist() if re.search(pattern, name)):
            yield name, wheel.open(name)


def read(f):
    return f.read().decode("utf-8", "replace").replace("\r\n", "\n")


def spread(items, n):
    """So many of the items in the order of their digests: the same ones on every machine."""
    return sorted(items, key=lambda s: hashlib.sha256(repr(s).encode()).digest())[:n]


def yaml_strings(text, key):
    """The string values of a key. These files have only blocks, quoted and plain scalars, so YAML is not needed."""
    lines = text.split("\n")
    for i, line in enumerate(lines):
        m = re.match(rf"( *)(?:- )?[\"']?{key}[\"']?:(?: +(.*))?$", line)
        if not m:
            continue
        rest = []
        for nxt in lines[i + 1:]:
            if nxt.strip() and len(nxt) - len(nxt.lstrip()) <= len(m[1]):
                break
            rest.append(nxt)
        head = (m[2] or "").strip()
        if head[:1] == "|":
            yield textwrap.dedent("\n".join(rest)).strip()
        elif head[:1] not in "!{[&*#" or head == "":
            flow = "\n".join(part.strip() for part in [head[1:] if head[:1] == ">" else head, *rest]).strip()
            flow = re.sub(r"^[-+]\n", "", flow)  # what is left of ">-"
            if flow[:1] == '"':
                flow = re.sub(r"\\\n+", "", flow)
            # Folding: one line break is a space, each blank line is a line break.
            flow = re.sub(r"\n+", lambda b: "\n" * (len(b[0]) - 1) or " ", flow)
            if flow[:1] == "'":
                flow = flow[1:].rsplit("'", 1)[0].replace("''", "'")
            elif flow[:1] == '"':
                flow = re.sub(r"\\(u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|.)", lambda e: chr(int(e[1][1:], 16)) if e[1][1:]
                              else {"n": "\n", "t": "\t"}.get(e[1], e[1]), flow[1:].rsplit('"', 1)[0])
            yield flow


# What any prose has: four words in a row, or a run of Chinese.
WORDS = r"(?:[^\W\d_]{2,}\W+){3}[^\W\d_]{2,}|[\u3040-\u9fff]{8}"


def python_strings(pattern, least=80, must=WORDS):
    """String literals of Python sources; f-strings keep their {fields}, docstrings are left out."""
    def reader(archive):
        for path, f in members(archive, pattern):
            tree = ast.parse(read(f))
            inner = {id(v) for n in ast.walk(tree) if isinstance(n, ast.JoinedStr) for v in ast.walk(n) if v is not n}
            inner |= {id(n.value) for n in ast.walk(tree) if isinstance(n, ast.Expr)}
            for n in ast.walk(tree):
                text = ""
                if id(n) in inner:
                    continue
                if isinstance(n, ast.Constant) and isinstance(n.value, str):
                    text = n.value
                elif isinstance(n, ast.JoinedStr):
                    text = "".join(v.value if isinstance(v, ast.Constant) else "{%s}" % ast.unparse(v.value)
                                   for v in n.values)
                if re.search(must, text) and (len(text) >= least or re.search("[\u3040-\u9fff]{12}", text)):
                    yield path, text
    return reader


# Folders with licences of their own (the first seven: LICENSE.md of the package), or made from works
# of others whose licence is not permissive or unclear, or with names and addresses of real people.
EVALS_LEFT_OUT = (r"^(text_compression|steganography|schelling_point|ballots|sandbagging|theory_of_mind|already_said_that"
                  r"|.*-exams-qa|logiqa.*|coqa|sql|arc|aba_mrpc.*|manga.*|naughty.*|.*hshd|.*singer.*|.*lyrics.*|cissp.*"
                  r"|invoices|population_span.*|abstract2title|consensus_summary|.*_decisions|newsology|chinese_modern.*)$")


def evals(archive):
    folders = collections.defaultdict(list)
    for path, f in members(archive, r"registry/data/.*\.jsonl$"):
        folder = path.split("registry/data/")[1].split("/")[0]
        for _, line in zip(range(0 if re.match(EVALS_LEFT_OUT, folder) else 150), f):
            try:
                given = json.loads(line)["input"]
            except (ValueError, KeyError, TypeError):
                continue  # other kinds of record: not prompts
            if isinstance(given, list):  # the system text and the last request, without worked examples between
                system = [m["content"] for m in given[:1] if m.get("role") == "system"]
                given = "\n\n".join(map(str, system + [m["content"] for m in given[-1:] if len(given) > len(system)]))
            if isinstance(given, str):
                folders[folder].append((path, given))
    for found in folders.values():
        yield from spread(found, 3)


def inspect_evals(archive):
    for path, f in members(archive, r"tau2/data/domains/(retail|airline|banking_knowledge)/tasks\.json$"):
        for task in json.load(f):
            user = task["user_scenario"]["instructions"]
            order = "reason_for_call", "known_info", "unknown_info", "task_instructions"
            yield path, user if isinstance(user, str) else "\n".join(user[k] for k in order if user.get(k))
    for path, f in members(archive, r"theagentcompany/tasks/.*/eval\.yaml$"):
        yield from ((path, text) for text in yaml_strings(read(f), "prompt"))


def lm_eval(archive):
    tasks = collections.defaultdict(dict)
    for path, f in members(archive, r"/tasks/.*\.yaml$"):
        text = read(f)
        for key in ("description", "doc_to_text"):
            for value in yaml_strings(text, key):
                if re.search(r"[^\W\d_]{2,}\W+[^\W\d_]{2,}\W+[^\W\d_]{2,}", re.sub(r"{{.*?}}", "", value)):
                    tasks[path.split("/")[2]].setdefault(value, path)
    for found in tasks.values():  # some tasks repeat one prompt for hundreds of subjects
        yield from spread([(path, text) for text, path in found.items()], 15)


def comfyui(archive):
    """Picture, video and music prompts typed into workflow nodes; notes and formulas are not prompts."""
    for path, f in members(archive, r"/templates/.*\.json$"):
        flow = json.load(f)
        if isinstance(flow, dict) and "nodes" in flow:
            subs = flow.get("definitions", {}).get("subgraphs", [])
            for node in flow["nodes"] + [n for s in subs for n in s.get("nodes", [])]:
                values = node.get("widgets_values") or []
                for text in values if isinstance(values, list) and "Note" not in node["type"] else []:
                    if isinstance(text, str) and re.search(WORDS, text) and not re.search(r"://|;\n|^\s*[\[({]|==", text):
                        yield path, text


def diffusers(archive):
    """The prompt = "..." lines of the usage examples in docstrings."""
    for path, f in members(archive, r"/pipelines/.*\.py$"):
        for example in re.findall(r"(?:^ *(?:>>>|\.\.\.).*\n)+", read(f), re.M):
            try:
                tree = ast.parse(re.sub(r"^ *(>>>|\.\.\.) ?", "", example, flags=re.M))
            except SyntaxError:
                continue
            for n in ast.walk(tree):
                if isinstance(n, ast.Assign) and "prompt" in ast.unparse(n.targets[0]):
                    yield from ((path, v.value) for v in ast.walk(n.value)
                                if isinstance(v, ast.Constant) and isinstance(v.value, str))


# name, version, at most, sha256, reader
COLLECTIONS = [
    ("evals", "3.0.1.post1", 1000, "0abcb2051303500784b1641a6e4f6b813ed43ad64f879a37d344a6774eb8eb78", evals),
    ("inspect_evals", "0.26.0", 700, "b76d15813182807da141a0f06bb6f18a5f82d1f06291ec2633bb84cdf661f8d0", inspect_evals),
    ("lm_eval", "0.4.9", 420, "6be0bd9395fd08e71b876622c3f53db54345a74faf60c34bf617e74dde33ba8f", lm_eval),
    ("euroeval", "16.11.0", 400, "7a20291da4c695d2a43511709875fd7b6e18fedf50fe2fd9c58ec8de5bc6761a",
     python_strings(r"/prompt_templates/.*\.py$", 60)),
    ("comfyui_workflow_templates_json", "0.1.123", 500,
     "fc321960cfc4f52dddc3ee111f33489b167eb7958028eb5b6a7f3fa8865a385e", comfyui),
    ("diffusers", "0.42.1", 200, "9154faa704ce00e0b77f568e0d64786064368528aab5fc14eeea92f87d788014", diffusers),
    ("gpt_prompt", "0.0.13", 200, "118e060af2070588351a883ca5c7749ab2e9803d166ec724240d49d92a53f4be",
     python_strings(r"gpt_prompt/(?!tools/(anti_dan|developer_mode)|test/).*\.py$")),
    ("swarms", "16.0.3", 200, "8fe35a756dcbb09fc14f2b50f87c0e1c228468f3b53f2745a5fff01f3c3a1d33",
     python_strings(r"swarms/prompts/.*\.py$", 150)),
    # Without a {field}, a text is a worked answer.
    ("opencompass", "0.5.4", 150, "362aafb77b264d9eb51e4a8f6730d22c98ea93a8d73f5f1be56928ed3141474a",
     python_strings(r"configs/datasets/(?!.*(shot|example)).*\.py$", 120, r"\{\w*\}")),
]


def fetch(name, version, sha256, cache):
    """The wheel of a package, from the package index that pip is configured for."""
    file = cache / f"{name}-{version}-py3-none-any.whl"
    if not file.exists():
        subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:",
                        "--ignore-requires-python", "--dest", str(cache), f"{name}=={version}"], check=True)
    found = hashlib.sha256(file.read_bytes()).hexdigest()
    if found != sha256:
        sys.exit(f"{file}: the SHA-256 is {found}, not {sha256}")
    return file


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/prompt-workflow/collections")
    arguments = parser.parse_args()
    arguments.cache.mkdir(parents=True, exist_ok=True)
    seen, rows = set(), []
    for name, version, most, sha256, reader in COLLECTIONS:
        kept = []
        for path, text in reader(fetch(name, version, sha256, arguments.cache)):
            text = text.strip()
            same = " ".join(text.lower().split())
            if 15 <= len(text) <= 12_000 and same not in seen:
                seen.add(same)
                kept.append((path, text))
        kept = sorted(spread(kept, most))
        rows += [{"source": f"{name}@{version}:{path}", "text": text} for path, text in kept]
        print(f"{name} {version}: {len(kept)} texts")
    arguments.out.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


if __name__ == "__main__":
    main()
