"""What functions find in their environment under `sam local` with infra/env.json, without docker.

Asks SAM's own code which variables it would give each function of template.yaml, in a shell that has evaluated
`cargo run -- aws --print`, and holds them against those: the same, with this machine under its name in containers.
"""

import json
import os
import sys
from pathlib import Path

from samcli.commands.local.lib.local_lambda import LocalLambdaRunner
from samcli.lib.providers.sam_function_provider import SamFunctionProvider
from samcli.lib.providers.sam_stack_provider import SamLocalStackProvider

ROOT = Path(__file__).resolve().parents[2]
OVERRIDES = json.loads((ROOT / "infra/env.json").read_text())
# Variables that differ from machine to machine, beside the addresses of AWS's services.
NAMES = {"TABLE_NAME", "BUCKET_NAME", "OPERATIONS_QUEUE_URL", "LIBRARY_QUEUE_URL", "DELIVERIES_QUEUE_URL",
         "SLOW_DELIVERIES_QUEUE_URL", "SERVER_SECRET", "S3_PATH_STYLE", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"}  # fmt: skip
EXPECTED = {
    name: value.replace("127.0.0.1", "host.docker.internal")
    for name, value in os.environ.items()
    if name in NAMES or name.startswith("AWS_ENDPOINT_URL_")
}


def main():
    stacks, _ = SamLocalStackProvider.get_stacks(str(ROOT / "template.yaml"))
    provider = SamFunctionProvider(stacks, use_raw_codeuri=True)
    runner = LocalLambdaRunner(None, provider, str(ROOT), str(ROOT), env_vars_values=OVERRIDES)
    functions = list(provider.get_all())
    wrong, found = [], set()
    for function in functions:
        given = runner._make_env_vars(function).resolve()
        # SAM itself passes the credentials of the shell.
        declared = {"AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", *function.environment["Variables"]}
        found |= EXPECTED.keys() & declared
        for name, value in EXPECTED.items():
            if name in declared and given.get(name) != value:
                wrong.append(f"{function.name}: {name} is {given.get(name)!r}, not {value!r}")
        unwanted = ("OAUTH_ISSUERS", "BEDROCK_MODEL", "SERVER_SECRET_ID")
        if any(given.get(name) for name in unwanted) or given.get("ENGINE", "rules") != "rules":
            wrong.append(f"{function.name}: more is configured than a developer's machine has")
    if wrong or found != EXPECTED.keys() or len(found) < 10:
        return "\n".join(wrong or [f"only {sorted(found)} of {sorted(EXPECTED)} for {len(functions)} functions"])
    print(f"ok   {len(functions)} functions find those of {len(found)} variables that they read")
    return None


sys.exit(main())
