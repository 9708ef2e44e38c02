"""Starts what `sam build` has made, as Lambda would, and lets it answer once.

    start_built.py <what was built> [<folder with the functions' programs, instead of the built ones>]

The variables are those of the built template with the defaults of its parameters, so that a fresh deployment is
what starts. cargo-lambda stands for Lambda and for the API: it hands events to the programs by Lambda's runtime
interface, and routes paths by the router in Cargo.toml. Secrets Manager is played. There is no table: whoever asks
one is refused, and only what needs none is asked.
"""

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import tomllib
import urllib.error
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from conditions import Deployment
from samtranslator.yaml_helper import yaml_parse

ROOT = Path(__file__).resolve().parents[2]
# Longest wait for a start and an answer, in seconds: unoptimised programs on a busy machine.
PATIENCE = 60


def resolved(value):
    """A variable's value as text; what names a resource is that name."""
    if not isinstance(value, dict):
        return value
    ((function, argument),) = value.items()
    if function == "Ref":
        return argument
    if function == "Fn::Sub":
        return re.sub(r"\$\{\w+\.ApiEndpoint\}", "https://api.example.com", argument)
    if function == "Fn::Join":
        return argument[0].join(argument[1])
    raise ValueError(f"nobody has taught {Path(__file__).name} {function}")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class SecretsManager(BaseHTTPRequestHandler):
    """Has every secret. It stands for all of AWS, and knows nothing else."""

    def do_POST(self):
        self.rfile.read(int(self.headers.get("content-length", 0)))
        known = self.headers.get("x-amz-target") == "secretsmanager.GetSecretValue"
        body = json.dumps({"SecretString": "s" * 64} if known else {"__type": "AccessDeniedException"}).encode()
        self.send_response(200 if known else 400)
        self.send_header("content-type", "application/x-amz-json-1.1")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def wait_for(host, port):
    """Waits until somebody listens there: a program that meets nobody ends."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with socket.create_connection((host, int(port)), timeout=PATIENCE):
                return
        except OSError:
            if time.monotonic() > end:
                sys.exit("the emulator does not start")
            time.sleep(0.2)


def ask(url, body=None):
    """Status and body of an answer, once there is one."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            with urllib.request.urlopen(urllib.request.Request(url, data=body), timeout=PATIENCE) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as answer:
            return answer.code, answer.read()
        except OSError as error:
            if time.monotonic() > end:
                return None, str(error).encode()
            time.sleep(0.2)


def wrong_answer(binary, address):
    """What is wrong with the function's answer to a request or, if a queue feeds it, to an empty batch."""
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]
    router = workspace["metadata"]["lambda"]["watch"]["router"]
    path = next((path for path, function in router.items() if function == binary), None)
    if path is None:
        status, body = ask(f"http://{address}/2015-03-31/functions/{binary}/invocations", b'{"Records": []}')
        right = status == 200 and json.loads(body) == {"batchItemFailures": []}
    else:
        status, body = ask(f"http://{address}{path.replace('{', '').replace('}', '')}")
        # What is public is answered; everything else, and a wrong method, refused in the envelope.
        right = status in (200, 401, 405) and b'"requestId":"req_' in body
    return None if right else f"{status} {body[:300].decode(errors='replace')}"


def main(folder, programs=None):
    template = yaml_parse((Path(folder) / "template.yaml").read_text(encoding="utf-8"))
    deployment = Deployment(template)
    common = template["Globals"]["Function"]["Environment"]["Variables"]
    aws = ThreadingHTTPServer(("127.0.0.1", 0), SecretsManager)
    threading.Thread(target=aws.serve_forever, daemon=True).start()
    functions = {n: r for n, r in template["Resources"].items() if r["Type"] == "AWS::Serverless::Function"}
    address = f"127.0.0.1:{free_port()}"
    host, port = address.split(":")
    emulator = subprocess.Popen(
        ["cargo-lambda", "lambda", "watch", "--only-lambda-apis", "--invoke-address", host, "--invoke-port", port],
        cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    failed = False
    try:
        wait_for(host, port)
        for name, function in functions.items():
            binary = function["Metadata"]["BuildProperties"]["Binary"]
            own = function["Properties"]["Environment"]["Variables"]
            bootstrap = Path(programs, binary) if programs else Path(folder, name, "bootstrap")
            variables = deployment.value({**common, **own})
            environment = {
                **{variable: resolved(value) for variable, value in variables.items()},
                "PATH": os.defpath,
                "AWS_LAMBDA_RUNTIME_API": f"http://{address}/.rt/{binary}",
                "AWS_LAMBDA_FUNCTION_NAME": binary,
                "AWS_LAMBDA_FUNCTION_VERSION": "1",
                "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
                "AWS_REGION": "us-east-1",
                "AWS_ACCESS_KEY_ID": "none",
                "AWS_SECRET_ACCESS_KEY": "none",
                "AWS_ENDPOINT_URL": f"http://127.0.0.1:{aws.server_port}",
            }
            log = Path(folder, f"{name}.log")
            with log.open("wb") as file:
                program = subprocess.Popen([bootstrap], env=environment, stdout=file, stderr=file)
            try:
                wrong = wrong_answer(binary, address)
                if program.poll() is not None:
                    wrong = f"ended with {program.returncode}"
            finally:
                program.kill()
                program.wait()
            print(f"  {name}: {wrong or 'starts and answers'}")
            if wrong:
                print(log.read_text(encoding="utf-8", errors="replace")[-2000:])
                failed = True
    finally:
        emulator.terminate()
        emulator.wait()
    if failed:
        sys.exit("not everything starts")


main(*sys.argv[1:])
