"""Records what the operator's tool calls in a deployment, and holds infra/deploy/calls.txt against it.

    operator_calls.py <operator's tool> [--write]

Runs infra/deploy/deploy.sh and verify.sh with the real tool, over a table that the environment names, as
`prompt-workflow aws` prints it. Between the two is a server that notes each call. `sam`, the suite and what
CloudFormation would answer are played: they make no calls of the tool's. infra/proof/roles.py holds the role of
GitHub's jobs against the list.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LIST = ROOT / "infra/deploy/calls.txt"
TABLE = os.environ["AWS_ENDPOINT_URL_DYNAMODB"]
AWS = """case "$*" in *Operator*) echo 'export AWS_REGION="$AWS_REGION"' ;; *) echo "$BASE_URL" ;; esac"""
called = set()


class Between(BaseHTTPRequestHandler):
    """Passes calls of DynamoDB on, with the host that their signature names."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        operation = self.headers["x-amz-target"].split(".")[1]
        parts = json.loads(body).get("TransactItems")
        # There is no permission of a transaction. Each of its parts needs its own.
        operations = [f"{kind}Item" for part in parts for kind in part] if parts else [operation]
        called.update(f"dynamodb:{one}" for one in operations)
        request = urllib.request.Request(TABLE, body, dict(self.headers))
        try:
            answer = urllib.request.urlopen(request)
        except urllib.error.HTTPError as error:
            answer = error
        said = answer.read()
        self.send_response(answer.status)
        for name in ("content-type", "x-amz-crc32", "x-amzn-requestid"):
            if answer.headers[name]:
                self.send_header(name, answer.headers[name])
        self.send_header("content-length", str(len(said)))
        self.end_headers()
        self.wfile.write(said)

    def log_message(self, *_):
        pass


def main(admin, write=None):
    between = ThreadingHTTPServer(("127.0.0.1", 0), Between)
    threading.Thread(target=between.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        for name, body in {"aws": AWS, "sam": "", "hosts": ""}.items():
            (folder / name).write_text(f"#!/bin/bash\n{body}\n", encoding="utf-8")
            (folder / name).chmod(0o755)
        environment = os.environ | {
            "PATH": f"{folder}:{os.environ['PATH']}",
            "ENVIRONMENT": "dev",
            "AWS_ENDPOINT_URL_DYNAMODB": f"http://127.0.0.1:{between.server_port}",
        }
        # An item as an earlier release may have had it, so that the import also replaces one.
        items = json.loads((ROOT / "infra/library/official.json").read_text(encoding="utf-8"))
        (folder / "before.json").write_text(json.dumps([items[0] | {"promptText": "Another text."}]), encoding="utf-8")
        for command in ([admin, "library", "import", folder / "before.json"], [ROOT / "infra/deploy/deploy.sh", admin],
                        [ROOT / "infra/deploy/verify.sh", admin, folder / "hosts"]):  # fmt: skip
            subprocess.run([*map(str, command)], env=environment, check=True, stdout=subprocess.DEVNULL)
    if write:
        LIST.write_text("".join(f"{one}\n" for one in sorted(called)), encoding="utf-8")
    listed = set(LIST.read_text(encoding="utf-8").split())
    if called != listed:
        sys.exit(f"{LIST.name}: lacks {sorted(called - listed)}, has {sorted(listed - called)} too many")
    print(f"ok   a deployment calls {len(called)} actions by the operator's tool")


main(*sys.argv[1:])
