"""Runs the scripts of infra/deploy against an account that is played, and looks at what they ask of it.

The programs `aws` and `sam` are stand-ins; what they are told goes through SAM's own reading of parameters.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from samcli.cli.types import CfnParameterOverridesType

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = "Transform: AWS::Serverless-2016-10-31\nDescription: the release before\n"
PARAMETERS = {"BaseUrl": "", "LogLevel": "info,store=debug", "OAuthIssuers": "https://a.example/x,https://b.example"}
OUTPUTS = {
    "ApiUrl": "https://api.example.com/v1",
    "Operator": 'export TABLE_NAME=the-table SERVER_SECRET="$(aws secretsmanager get-secret-value)"',
}
AWS = r"""
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
    code, said, told = run(folder, "deploy.sh")
    expect("deploy", (code, told[:3]), (0, ["deploy", "--config-env", "staging"]))
    expect("deploy confirms nothing", "--no-confirm-changeset" in told, True)
    expect("deploy by the role", after(told, "--role-arn"), "arn:aws:iam::123456789012:role/execution")
    expect("deploy keeps the environment's overrides", "--parameter-overrides" in told, False)
    code, said, told = run(folder, "deploy.sh", EXECUTION_ROLE="")
    expect("deploy without a role", (code, "--role-arn" in told), (0, False))


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


with tempfile.TemporaryDirectory() as scratch:
    folder = Path(scratch)
    for name, body in {"aws": AWS, "sam": SAM, "admin": ADMIN, "hosts": HOSTS}.items():
        (folder / name).write_text(f"#!/bin/bash\n{body}", encoding="utf-8")
        (folder / name).chmod(0o755)
    deploying(folder)
    going_back(folder)
    first_deployment(folder)
    verifying(folder)
print(f"  {checks} expectations of deploying, checking and going back")
