"""Holds what people type to deploy against the template and the operator's tool.

samconfig.toml, the template's outputs and the pages in docs/ name parameters, outputs, variables and commands. None of
them is compiled; here each name must exist where it is used.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import folded
from conditions import Deployment
from findings import check, prove
from samtranslator.yaml_helper import yaml_parse
from samcli.commands.deploy.command import cli as sam_deploy

ROOT = Path(__file__).resolve().parents[2]
ENVIRONMENTS = {"dev", "staging", "prod"}
# The longest name of a stack, as docs/deploy.md and infra/github.yaml have it.
STACK_NAME_MAX = 32
# Variables that the operator's tool does without on AWS.
LOCAL_ONLY = {"S3_PATH_STYLE"}
# One that it reads only while the server's secret is being replaced.
ROTATING = "SERVER_SECRET_PREVIOUS"

template = folded.load(sys.argv[1])
parameters, outputs = template["Parameters"], template["Outputs"]
options = (ROOT / "infra/admin/src/options.rs").read_text(encoding="utf-8")
pages = {
    str(page.relative_to(ROOT)): page.read_text(encoding="utf-8")
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
}


def override_is_allowed(where, name, value):
    if name not in parameters:
        return check(False, f"{where}: there is no parameter {name}")
    declared = parameters[name]
    allowed = declared.get("AllowedValues")
    check(not allowed or value in map(str, allowed), f"{where}: {name} cannot be {value}")
    pattern = declared.get("AllowedPattern", ".*")
    for one in value.split(",") if declared["Type"] == "CommaDelimitedList" else [value]:
        check(re.fullmatch(pattern, one), f"{where}: {name}={value} does not match {pattern}")
    if declared["Type"] == "Number":
        if not re.fullmatch(r"\d+", value):
            return check(False, f"{where}: {name}={value} is no number")
        number = int(value)
        low, high = declared.get("MinValue", number), declared.get("MaxValue", number)
        check(low <= number <= high, f"{where}: {name}={value} is not within {low} to {high}")


def environments_deploy():
    config = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))
    deployed = {name: e["deploy"]["parameters"] for name, e in config.items() if name in ENVIRONMENTS}
    check(set(config) == ENVIRONMENTS | {"version", "default"}, f"samconfig.toml: has {sorted(config)}")
    known = {option.name for option in sam_deploy.params}
    roles = {name: r for name, r in template["Resources"].items() if r["Type"] == "AWS::IAM::Role"}
    named = any("RoleName" in role["Properties"] for role in roles.values())
    # CloudFormation names a role after stack and resource, with twelve characters of its own, and cuts the stack's name
    # if that is more than 64. Then the roles of infra/github.yaml would not know it.
    longest = max(len(f"-{name}-") for name in roles)
    check(STACK_NAME_MAX + longest + 12 <= 64, f"a role's name may cut the stack's: {longest} characters after it")
    known_to = (ROOT / "infra/github.yaml").read_text(encoding="utf-8")
    check(f"[a-z][a-z0-9-]{{0,{STACK_NAME_MAX - 1}}}" in known_to, "infra/github.yaml: takes another length of names")
    # Transformed templates that nest others are expanded without a change set of the nested ones to look at.
    needed = {"CAPABILITY_NAMED_IAM" if named else "CAPABILITY_IAM"}
    needed |= {"CAPABILITY_AUTO_EXPAND"} if template["Folded"] else set()
    default = config["default"]["deploy"]["parameters"]
    check("stack_name" not in default, "samconfig.toml, default: names a stack, which nobody asked for")
    for name, settings in {**deployed, "default": default}.items():
        check(set(settings) <= known, f"samconfig.toml, {name}: sam deploy has no {sorted(set(settings) - known)}")
        granted = settings["capabilities"].split()
        check(set(granted) == needed, f"samconfig.toml, {name}: has {granted}, needs {sorted(needed)}")
    for name, settings in deployed.items():
        where = f"samconfig.toml, {name}"
        check(settings.get("resolve_s3"), f"{where}: has no bucket for code and nested templates")
        check(len(settings["stack_name"]) <= STACK_NAME_MAX, f"{where}: the stack's name is too long")
        overrides = dict(override.split("=", 1) for override in settings["parameter_overrides"].split())
        for override in overrides.items():
            override_is_allowed(where, *override)
        refused = Deployment(template, **{name: v for name, v in overrides.items() if name in parameters}).refusals()
        check(not refused, f"{where}: is refused: {refused}")
    check(len({s["stack_name"] for s in deployed.values()}) == len(ENVIRONMENTS), "stacks share a name")
    for careful in ("staging", "prod"):
        check("DeletionProtection=true" in deployed[careful]["parameter_overrides"], f"{careful}: is not protected")
    check(deployed["prod"]["confirm_changeset"] is True, "prod: changes without being asked")


def parameters_are_presented():
    groups = template["Metadata"]["AWS::CloudFormation::Interface"]["ParameterGroups"]
    presented = [name for group in groups for name in group["Parameters"]]
    check(sorted(presented) == sorted(parameters), f"presented: {sorted(set(presented) ^ set(parameters))}")
    for name, declared in parameters.items():
        check(declared.get("Description"), f"{name}: is not described")
        # Without a default `sam deploy` would not go through without questions.
        check("Default" in declared, f"{name}: has no default")
        override_is_allowed("defaults", name, str(declared.get("Default")))
        used = json.dumps({k: v for k, v in template.items() if k not in ("Parameters", "Metadata", "Rules")})
        check(f'"Ref": "{name}"' in used or f"${{{name}}}" in used, f"{name}: nothing uses it")


def settings_that_fail_at_start_are_refused():
    """An engine without its settings ends a function at its start. The rules refuse it before anything is changed."""
    config = (ROOT / "lib/llm/src/config.rs").read_text(encoding="utf-8")
    names = config[config.index("impl EngineName") :].split("\n}", 1)[0]
    engines = re.findall(r'\("(\w+)", Self::(\w+)\)', names)
    models = [f"{engine.upper()}_MODEL" for engine, _ in engines if engine != "rules"]
    check(models and all(f"`{model}`" in config for model in models), "the engines' models are called otherwise")
    arns = {"Bedrock": {"BedrockModelArns": "arn:aws:bedrock:us-east-1::foundation-model/some"}}
    for engine, name in engines:
        if engine == "rules":
            continue
        model = {f"{name}Model": "some-model"}
        for order in (engine, f"{engine},rules"):
            said = Deployment(template, Engine=order).refusals()
            check(any(f"{name}Model" in one for one in said), f"Engine={order}: no model, and not refused")
            said = Deployment(template, Engine=order, **model, **arns.get(name, {})).refusals()
            check(not said, f"Engine={order}: with all that it needs it is refused: {said}")
            if name in arns:
                said = Deployment(template, Engine=order, **model).refusals()
                check(said, f"Engine={order}: may not invoke its model, and not refused")
    check(Deployment(template, DomainName="api.example.com").refusals(), "a domain without a certificate is not refused")
    unheard = Deployment(template, Watch="none", AlarmTopicArn="arn:aws:sns:us-east-1:123456789012:alarms")
    check(unheard.refusals(), "a topic for alarms that are not there is not refused")
    check(Deployment(template, MonthlyBudget=100).refusals(), "a budget that tells nobody is not refused")
    reserving = Deployment(template, SmallAccount="true", PromptsReservedConcurrency=1)
    check(reserving.refusals(), "a reservation that AWS refuses is not refused")
    check(not Deployment(template).refusals(), "the defaults are refused")


def variant(of, name):
    """The declaration of a command, by the tool's sources."""
    body = re.search(rf"(?s)enum {of} \{{(.*?)\n\}}", options)
    found = re.search(rf"(?s)\n    {name}(?: \{{(.*?)\n    \}})?,", body[1]) if body else None
    return found and (found[1] or "")


def camel(name):
    return "".join(word.capitalize() for word in name.split("-"))


def command_exists(where, line):
    """Whether a line `cargo run … -p admin -- <command> …` is one that the tool takes."""
    line = line.split("-- ", 1)[1]
    command, *words = line.split()
    if f"enum {command.capitalize()}Command " in options:
        command = f"{command} {words[0]}"
        declared = variant(f"{command.split()[0].capitalize()}Command", camel(words[0]))
    else:
        declared = variant("Command", camel(command))
    if declared is None:
        return check(False, f"{where}: the operator's tool has no {command}")
    for flag in re.findall(r"--([a-z-]+)", line):
        check(f"{flag.replace('-', '_')}:" in declared, f"{where}: {command} has no --{flag}")


def text_of(value):
    """An output's text with something in place of each reference."""
    value = value.get("Fn::Sub", value) if isinstance(value, dict) else value
    value = value[0] if isinstance(value, list) else value
    return re.sub(r"\$\{[^}]+\}", "some-value", value) if isinstance(value, str) else ""


def outputs_are_commands_that_work():
    read = set(re.findall(r'env = "(\w+)"', options)) - LOCAL_ONLY
    # What is only there while the secret is being replaced: the page on that sets it.
    check(f"export {ROTATING}=" in pages["docs/rotate.md"], f"docs/rotate.md: does not set {ROTATING}")
    main = (ROOT / "infra/admin/src/main.rs").read_text(encoding="utf-8")
    read |= set(re.findall(r'env::var\("(\w+)"\)', main)) - {ROTATING}
    with tempfile.TemporaryDirectory() as folder:
        stub = Path(folder, "aws")
        stub.write_text('#!/bin/sh\n[ "$1 $2" = "secretsmanager get-secret-value" ] && echo the-secret\n')
        stub.chmod(0o755)
        ran = subprocess.run(
            ["/bin/bash", "-euc", f'eval "$LINE"; env'],
            env={"PATH": f"{folder}:{os.defpath}", "LINE": text_of(outputs["Operator"]["Value"])},
            capture_output=True,
            text=True,
        )
    check(ran.returncode == 0, f"Operator: fails in a shell: {ran.stderr}")
    made = dict(line.split("=", 1) for line in ran.stdout.splitlines() if "=" in line)
    made = {k: v for k, v in made.items() if k not in ("PATH", "LINE", "PWD", "SHLVL", "_")}
    check(set(made) == read | {"AWS_REGION"}, f"Operator: sets {sorted(made)}, the tool reads {sorted(read)}")
    check(made.get("SERVER_SECRET") == "the-secret", "Operator: the secret is not what AWS answers")
    for name in ("CreateAccount", "CreateKey"):
        command_exists(name, outputs[name]["Value"])
    for name, output in outputs.items():
        check(output.get("Description"), f"{name}: is not described")
        for other in re.findall(r"<(\w+)>", output.get("Description", "")):
            check(other in outputs or other == "key", f"{name}: speaks of an output {other}")


def packages():
    """The versions of what the proofs install from npm."""
    manifests = [json.loads(path.read_text(encoding="utf-8")) for path in ROOT.glob("infra/proof/*/package.json")]
    return {
        name: version
        for manifest in manifests
        for kind in ("dependencies", "devDependencies")
        for name, version in manifest.get(kind, {}).items()
    }


def page_is_true(where, text):
    # A name without a version is whatever was published last. The versions here are those that are proved.
    for package in re.findall(r"\bnpx (?:-\S+ )*(\S+)", text):
        name, _, version = package.rpartition("@")
        check(version and packages().get(name) == version, f"{where}: npx {package} is not what infra/proof installs")
    check(not re.search(r"\bpip install (?!-r )", text), f"{where}: pip installs something without its version")
    for name in re.findall(r"\$\(output (\w+)\)", text):
        check(name in outputs, f"{where}: there is no output {name}")
    for overrides in re.findall(r"--parameter-overrides ([^\n#`]*)", text):
        for name, value in re.findall(r"(\w+)=([^\s\"]+)", overrides):
            # A shell's or a workflow's variable has no value here.
            if not value.startswith("$"):
                override_is_allowed(where, name, value)
    for environment in re.findall(r"--config-env (\w+)", text):
        check(environment in ENVIRONMENTS, f"{where}: there is no environment {environment}")
    for line in re.findall(r"cargo run (?:-q )?-p admin -- [^\n#`]*", text):
        if "|" not in line and " completions" not in line:
            command_exists(where, line)
    for path in re.findall(r"`?(infra/[\w/.-]+\.(?:sh|py|toml|txt))", text):
        check((ROOT / path).exists(), f"{where}: there is no {path}")


def pages_are_true():
    for where, text in pages.items():
        page_is_true(where, text)
    # On these pages, a name of several words is one of the template's, or of what stands before the API.
    front = yaml_parse((ROOT / "infra/front.yaml").read_text(encoding="utf-8"))["Parameters"]
    known = {*parameters, *outputs, *front}
    for where in ("docs/deploy.md", "docs/rotate.md"):
        for name in re.findall(r"`([A-Z][a-z]+[A-Z]\w+)`", pages[where]):
            check(name in known, f"{where}: {name} is neither parameter nor output")
    deploying = pages["docs/deploy.md"]
    for shown in ("Operator", "CreateAccount", "CreateKey"):
        there = f"output {shown}" in deploying or text_of(outputs[shown]["Value"]) in deploying
        check(there, f"docs/deploy.md: lacks {shown}")
    check("-p admin -- " in pages["docs/operate.md"], "docs/operate.md: says nothing of the operator's tool")


prove(
    environments_deploy,
    parameters_are_presented,
    settings_that_fail_at_start_are_refused,
    outputs_are_commands_that_work,
    pages_are_true,
)
