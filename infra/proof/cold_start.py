"""Starts each function with one event, and measures it until its first answer; see cold_start.sh.

    cold_start.py <folder of programs> [--write]

Needs the environment of the functions, with API_KEY.
"""

import json
import os
import re
import resource
import statistics
import subprocess
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from event_target import addressee

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "infra" / "cold-starts.md"
# The event that a function starts with, where events/ has several.
FIRST = {"deliveries": "deliveries-queue", "presets": "create-preset"}
ROW = re.compile(r"^\| `([\w-]+)` \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", re.M)
# By how much a figure may exceed the table's.
TOLERANCE = 1.05
# Starts whose median time counts.
STARTS = 11
# Seconds until a start has failed; valgrind makes it fifty times as slow.
PATIENCE = 120


class Runtime(ThreadingHTTPServer):
    """Lambda's runtime interface for one start: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html"""

    daemon_threads = True

    def __init__(self, event):
        super().__init__(("127.0.0.1", 0), Handler)
        self.event = event
        self.is_given = False
        self.answer = None
        self.answered_at = None
        self.has_answered = threading.Event()
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        if self.server.is_given:
            # It waits for the next event, which never comes.
            threading.Event().wait(PATIENCE)
            return
        self.server.is_given = True
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", "8476a536-e9f4-11e8-9739-2dfe598c3fcd")
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int(time.time() * 1000) + PATIENCE * 1000))
        arn = "arn:aws:lambda:us-east-1:123456789012:function:measured"
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", arn)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(self.server.event)))
        self.end_headers()
        self.wfile.write(self.server.event)

    def do_POST(self):
        self.server.answered_at = time.monotonic()
        # Answers come in chunks.
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.server.answer = (self.path, body)
        self.server.has_answered.set()
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_):
        pass


def start(command, name, event):
    """Starts a program, and ends it after its first answer: its standard error, its time and its peak memory."""
    runtime = Runtime(event)
    environment = dict(os.environ, AWS_LAMBDA_RUNTIME_API=f"127.0.0.1:{runtime.server_port}", LOG="warn")
    environment |= {
        "AWS_LAMBDA_FUNCTION_NAME": name,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "256",
        "AWS_LAMBDA_FUNCTION_VERSION": "1",
        "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/measured",
        "AWS_LAMBDA_LOG_STREAM_NAME": "measured",
    }
    began = time.monotonic()
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    has_answered = runtime.has_answered.wait(PATIENCE)
    status = Path(f"/proc/{process.pid}/status").read_text()
    process.terminate()
    _, errors = process.communicate(timeout=PATIENCE)
    runtime.shutdown()
    runtime.server_close()
    if not has_answered or not runtime.answer[0].endswith("/response"):
        sys.exit(f"{name} does not answer: {runtime.answer}\n{errors}")
    answer = json.loads(runtime.answer[1])
    if answer.get("statusCode", 200) != 200:
        sys.exit(f"{name} answers wrongly: {answer}")
    peak = int(re.search(r"VmHWM:\s+(\d+) kB", status)[1])
    return errors, runtime.answered_at - began, peak


def measured(program, name, event):
    """Millions of instructions, MB of resident memory, MB of the program, and its median time in seconds."""
    callgrind = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", str(program)]
    errors, _, _ = start(callgrind, name, event)
    instructions = int(re.search(r"Collected : (\d+)", errors)[1]) / 1e6
    starts = [start([str(program)], name, event)[1:] for _ in range(STARTS)]
    times, peaks = zip(*starts)
    size = program.stat().st_size / 1e6
    return instructions, statistics.median(peaks) / 1000, size, statistics.median(times)


def events():
    """The event that each function starts with."""
    found = {}
    for path in sorted((ROOT / "events").glob("*.json")):
        text = path.read_text()
        name = addressee(json.loads(text))
        if "{access_token}" not in text and FIRST.get(name, path.stem) == path.stem:
            found.setdefault(name, text.replace("{api_key}", os.environ["API_KEY"]).encode())
    return found


def main(folder, mode=None):
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    programs = Path(folder)
    hello = json.loads((ROOT / "events" / "health.json").read_text())
    rows = {"hello": measured(programs / "examples" / "hello", "hello", json.dumps(hello).encode())}
    for name, event in events().items():
        rows[name] = measured(programs / name, name, event)
    compared = rows["hello"][3]
    lines = {
        name: f"| `{name}` | {instructions:.1f} | {memory:.1f} | {size:.1f} | {seconds / compared:.1f} |"
        for name, (instructions, memory, size, seconds) in rows.items()
    }
    print("\n".join(lines.values()))
    text = TABLE.read_text()
    if mode == "--write":
        table = ROW.search(text)
        head = text[: table.start()] if table else text
        tail = text[[row.end() for row in ROW.finditer(text)][-1] :].lstrip("\n") if table else ""
        TABLE.write_text(head + "\n".join(lines.values()) + "\n" + tail)
        return None
    said = {row[0]: [float(figure) for figure in row[1:]] for row in ROW.findall(text)}
    problems = [f"{name} is not in {TABLE.name}" for name in rows.keys() - said.keys()]
    problems += [f"{name} is no function" for name in said.keys() - rows.keys()]
    for name in rows.keys() & said.keys():
        for what, now, then in zip(["million instructions", "MB resident", "MB"], rows[name], said[name]):
            if now > then * TOLERANCE:
                problems.append(f"{name}: {now:.1f} {what}, {then} in {TABLE.name}")
    return "\n".join(problems) or None


sys.exit(main(*sys.argv[1:]))
