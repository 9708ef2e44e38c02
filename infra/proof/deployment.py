"""Runs the scripts of infra/deploy against an account that is played, and looks at what they ask of it.

The programs `aws` and `sam` are stand-ins. What they are told is held against the real ones: AWS's own list of
operations, and SAM's options and its reading of parameters. operator_calls.py runs the real operator's tool.
"""

import json
import os
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

import botocore.session
from botocore import xform_name
from samcli.cli.types import CfnParameterOverridesType
from samcli.commands.deploy.command import cli as sam_deploy

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "Transform: AWS::Serverless-2016-10-31\nDescription: the release before\n"
PARAMETERS = {"BaseUrl": "", "LogLevel": "info,store=debug", "OAuthIssuers": "https://a.example/x,https://b.example"}
OUTPUTS = {
    "ApiUrl": "https://api.example.com/v1",
    "Operator": 'export TABLE_NAME=the-table SERVER_SECRET="$(aws secretsmanager get-secret-value --secret-id it)"',
}
# Options that every command of the AWS CLI has.
OF_EVERY_COMMAND = {"--output", "--query", "--region"}
AWS = r"""
echo "$1 $2 $(printf '%s\n' "$@" | grep '^--' | tr '\n' ' ')" >> "$ASKED"
case "$1 $2" in
  "secretsmanager get-secret-value") echo the-secret ;;
  "cloudformation get-template") printf '%s' "$TEMPLATE" ;;
  "cloudformation describe-stacks")
    [ "$STATUS" = ABSENT ] && { echo "Stack with id $4 does not exist" >&2; exit 254; }
    [ "$STATUS" = DENIED ] && { echo "AccessDenied" >&2; exit 254; }
    case "$6" in
      *StackStatus*) echo "$STATUS" ;;
      *Parameters*) echo "$PARAMETERS" ;;
      *ApiUrl*) echo "$API_URL" ;;
      *Operator*) echo "$OPERATOR" ;;
    esac ;;
  *) echo "nobody plays aws $*" >&2; exit 1 ;;
esac
"""
# Prints one argument a line.
SAM = 'printf "%s\\n" "$@" > "$TOLD"'
# Knows accounts and keys by numbers; writes down what it was asked.
ADMIN = r"""
echo "$*" >> "$TOLD"
[ "$TABLE_NAME $SERVER_SECRET" = "the-table the-secret" ] || exit 1
n=$(grep -c create "$TOLD")
case "$*" in
  *"accounts create"*) echo "{\"id\": \"acct_$n\"}" ;;
  *"keys create"*) echo "{\"id\": \"key_$n\", \"key\": \"pwk_$n\"}" ;;
  *) echo '{}' ;;
esac
"""
HOSTS = r"""
echo "hosts $BASE_URL $API_KEY $OTHER_API_KEY ${TABLE_NAME:-no} ${SERVER_SECRET:-no} ${AWS_SESSION_TOKEN:-no}" >> "$TOLD"
exit "$ANSWER"
"""

checks = 0


def expect(name, seen, wanted):
    global checks
    checks += 1
    if seen != wanted:
        sys.exit(f"  {name}: {seen!r} instead of {wanted!r}")


def run(folder, script, *arguments, status="UPDATE_COMPLETE", **variables):
    """Its exit status, its output, and what the stand-in was told."""
    told = folder / "told"
    told.unlink(missing_ok=True)
    environment = {
        "PATH": f"{folder}:{Path(sys.executable).parent}:{os.defpath}",
        "ENVIRONMENT": "staging",
        "EXECUTION_ROLE": "arn:aws:iam::123456789012:role/execution",
        "AWS_SESSION_TOKEN": "the-token",
        "STATUS": status,
        "TEMPLATE": TEMPLATE,
        "PARAMETERS": json.dumps([{"ParameterKey": k, "ParameterValue": v} for k, v in PARAMETERS.items()]),
        "API_URL": OUTPUTS["ApiUrl"],
        "OPERATOR": OUTPUTS["Operator"],
        "TOLD": str(told),
        "ASKED": str(folder / "asked"),
        **variables,
    }
    done = subprocess.run(
        [ROOT / "infra/deploy" / script, *map(str, arguments)], env=environment, capture_output=True, text=True
    )
    lines = told.read_text(encoding="utf-8").splitlines() if told.exists() else []
    return done.returncode, done.stdout + done.stderr, lines


def overrides(told):
    """The parameters as SAM reads them."""
    at = told.index("--parameter-overrides") + 1
    return CfnParameterOverridesType().convert(tuple(told[at:]), None, None)


def after(told, option):
    return told[told.index(option) + 1]


def deploying(folder):
    code, said, told = run(folder, "deploy.sh", folder / "admin")
    expect("official items come with the release", told.pop(), "library import")
    expect("deploy", (code, told[:3]), (0, ["deploy", "--config-env", "staging"]))
    expect("deploy confirms nothing", "--no-confirm-changeset" in told, True)
    expect("deploy by the role", after(told, "--role-arn"), "arn:aws:iam::123456789012:role/execution")
    expect("deploy keeps the environment's overrides", "--parameter-overrides" in told, False)
    code, said, told = run(folder, "deploy.sh", folder / "admin", EXECUTION_ROLE="")
    expect("deploy without a role", (code, "--role-arn" in told), (0, False))
    code, said, told = run(folder, "deploy.sh", folder / "admin", BOUNDARY="the-boundary")
    settings = tomllib.loads((ROOT / "samconfig.toml").read_text(encoding="utf-8"))["staging"]["deploy"]["parameters"]
    wanted = dict(one.split("=") for one in settings["parameter_overrides"].split())
    expect("deploy within a boundary", overrides(told[:-1]), wanted | {"PermissionsBoundary": "the-boundary"})
    known = {option for parameter in sam_deploy.params for option in [*parameter.opts, *parameter.secondary_opts]}
    expect("SAM's options", {one for one in told if one.startswith("--")} - known, set())


def going_back(folder):
    kept = folder / "kept"
    expect("remember", run(folder, "remember.sh", kept)[0], 0)
    expect("the template is kept", (kept / "template.yaml").read_text(encoding="utf-8"), TEMPLATE)
    code, said, told = run(folder, "rollback.sh", kept)
    expect("rollback", (code, after(told, "--template-file")), (0, str(kept / "template.yaml")))
    expect("rollback gives every parameter", overrides(told), PARAMETERS)
    code, said, told = run(folder, "rollback.sh", kept, status="UPDATE_ROLLBACK_COMPLETE")
    expect("CloudFormation went back", (code, told), (0, []))
    for status in ("UPDATE_ROLLBACK_FAILED", "UPDATE_FAILED", "ROLLBACK_COMPLETE"):
        code, said, told = run(folder, "rollback.sh", kept, status=status)
        expect(f"rollback of {status}", (code, told), (1, []))
        expect(f"remember of {status}", run(folder, "remember.sh", folder / "other", status=status)[0], 1)


def first_deployment(folder):
    nothing = folder / "nothing"
    expect("remember nothing", run(folder, "remember.sh", nothing, status="ABSENT")[0], 0)
    code, said, told = run(folder, "rollback.sh", nothing)
    expect("rollback to nothing", (code, told), (1, []))
    for status in ("CREATE_FAILED", "ROLLBACK_COMPLETE", "ROLLBACK_FAILED"):
        code, said, told = run(folder, "remember.sh", folder / "failed", status=status)
        expect(f"the way out of {status}", (code, "delete-stack --stack-name prompt-workflow-staging" in said), (1, True))
    expect("no right to look", run(folder, "remember.sh", folder / "denied", status="DENIED")[0], 1)


def verifying(folder):
    for answer in (0, 101):
        code, said, told = run(folder, "verify.sh", folder / "admin", folder / "hosts", ANSWER=str(answer))
        expect("verify answers as the suite", code, answer)
        hosts = [line for line in told if line.startswith("hosts")]
        expect("what the suite knows", hosts, ["hosts https://api.example.com/v1 pwk_2 pwk_4 no no no"])
        ended = [line.replace("--yes --json ", "") for line in told[told.index(hosts[0]) + 1 :]]
        wanted = ["keys revoke acct_1 key_2", "keys revoke acct_3 key_4"]
        wanted += ["accounts suspend acct_1", "accounts suspend acct_3"]
        expect("what is ended", ended, wanted)


def asking(folder):
    for line in set((folder / "asked").read_text(encoding="utf-8").splitlines()):
        service, command, *options = line.split()
        model = botocore.session.get_session().get_service_model(service)
        operation = {xform_name(name, "-"): name for name in model.operation_names}.get(command)
        expect(f"aws {service} {command} is there", operation is not None, True)
        members = {"--" + xform_name(name, "-") for name in model.operation_model(operation).input_shape.members}
        expect(f"aws {service} {command} has these options", set(options) - members - OF_EVERY_COMMAND, set())


with tempfile.TemporaryDirectory() as scratch:
    folder = Path(scratch)
    for name, body in {"aws": AWS, "sam": SAM, "admin": ADMIN, "hosts": HOSTS}.items():
        (folder / name).write_text(f"#!/bin/bash\n{body}", encoding="utf-8")
        (folder / name).chmod(0o755)
    deploying(folder)
    going_back(folder)
    first_deployment(folder)
    verifying(folder)
    asking(folder)
print(f"  {checks} expectations of deploying, checking and going back")
