"""What the linters of workflows do not see: what this repository holds its workflows to."""

import json
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / ".github/workflows"
PINNED = re.compile(r"uses: [\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")

shellcheck = sys.argv[1]
findings = []
blocks = 0


def check(holds, finding):
    if not holds:
        findings.append(finding)


class Loader(yaml.SafeLoader):
    """YAML 1.2's booleans: `on` is a key here."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag != "tag:yaml.org,2002:bool"]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
Loader.add_implicit_resolver("tag:yaml.org,2002:bool", re.compile("^(?:true|false)$"), list("tf"))


def script(where, text):
    """A `run` block: no expression is put into it, and it is a good script."""
    global blocks
    blocks += 1
    check("${{" not in text, f"{where}: an expression in a command; give it by the environment")
    with tempfile.NamedTemporaryFile("w", suffix=".sh") as file:
        file.write("#!/usr/bin/env bash\nset -eo pipefail\n" + text)
        file.flush()
        done = subprocess.run([shellcheck, file.name], capture_output=True, text=True)
    check(done.returncode == 0, f"{where}:\n{done.stdout}{done.stderr}")
    for path in re.findall(r"(?<![\w/.-])(?:infra|\.ci)/[\w/.-]+", text):
        check((ROOT / path).exists(), f"{where}: there is no {path}")
    for path in re.findall(r"^(?:infra|\.ci)/[\w/.-]+", text, re.M):
        check((ROOT / path).stat().st_mode & 0o111, f"{where}: {path} is not executable")


def workflow(path):
    text = path.read_text(encoding="utf-8")
    name = path.name
    for line in text.splitlines():
        if "uses: " in line and "uses: ./" not in line:
            check(PINNED.search(line), f"{name}: not pinned by commit, with its version: {line.strip()}")
    for local in re.findall(r"uses: \./(\S+)", text):
        check((ROOT / local).is_file(), f"{name}: there is no {local}")
    parsed = yaml.load(text, Loader)
    check(parsed.get("permissions") == {}, f"{name}: jobs do not name their permissions themselves")
    check(parsed.get("defaults") == {"run": {"shell": "bash"}}, f"{name}: the shell is not bash by name")
    for key, job in parsed["jobs"].items():
        where = f"{name}, {key}"
        check("permissions" in job, f"{where}: names no permissions")
        if "uses" in job:
            continue
        check("timeout-minutes" in job, f"{where}: may take six hours")
        for at, step in enumerate(job["steps"]):
            if "run" in step:
                script(f"{where}, {step.get('name', at)}", step["run"])
    return parsed


parsed = {path.name: workflow(path) for path in sorted(FOLDER.iterdir())}
environments = {name for name in tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))} - {"version", "default"}
offered = set(parsed["deploy.yml"]["on"]["workflow_dispatch"]["inputs"]["environment"]["options"])
check(offered == environments, f"deploy.yml: offers {sorted(offered)}, samconfig.toml has {sorted(environments)}")
roles = yaml.load(
    re.sub(r"!\w+", "", (ROOT / "infra/github.yaml").read_text(encoding="utf-8")), Loader
)["Parameters"]
check(set(roles["Environment"]["AllowedValues"]) == environments, "github.yaml: other environments than samconfig.toml")
rust = re.search(r'(?m)^rust-version = "(.+)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"))[1]
image = re.search(r"(?m)^FROM rust:([\d.]+)-", (ROOT / "Dockerfile").read_text(encoding="utf-8"))[1]
check(image == rust, f"Dockerfile: builds with Rust {image}, Cargo.toml asks for {rust}")

for finding in findings:
    print(f"  {finding}", file=sys.stderr)
if findings:
    sys.exit(f"{len(findings)} findings")
print(f"  {len(parsed)} workflows, {blocks} scripts in them")
