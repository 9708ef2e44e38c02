"""Functions in a runtime interface of their own: https://docs.aws.amazon.com/lambda/latest/dg/runtimes-api.html"""

import itertools
import json
import os
import queue
import re
import subprocess
import tempfile
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

# Seconds until an invocation has failed; valgrind makes it fifty times as slow.
PATIENCE = 120
# Functions of the C library that give memory.
ALLOCATING = {"malloc", "calloc", "realloc", "memalign", "posix_memalign", "aligned_alloc"}
# Variables that change whose certificates a program reads. Lambda sets none of them.
UNSET = {"ALL_PROXY", "HTTPS_PROXY", "HTTP_PROXY", "NO_PROXY", "SSL_CERT_DIR", "SSL_CERT_FILE"}
ARN = "arn:aws:lambda:us-east-1:123456789012:function:measured"


class Interface(ThreadingHTTPServer):
    """Gives a function its events, and takes its answers."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.polls = queue.Queue()
        self.events = queue.Queue()
        self.answers = queue.Queue()
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """A function that is ended leaves its connection."""


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    numbers = itertools.count()

    def do_GET(self):
        self.server.polls.put(None)
        event = self.server.events.get()
        if event is None:
            self.close_connection = True
            return
        self.send_response(200)
        self.send_header("Lambda-Runtime-Aws-Request-Id", f"8476a536-e9f4-11e8-9739-{next(self.numbers):012x}")
        self.send_header("Lambda-Runtime-Deadline-Ms", str(int(time.time() * 1000) + PATIENCE * 1000))
        self.send_header("Lambda-Runtime-Invoked-Function-Arn", ARN)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(event)))
        self.end_headers()
        self.wfile.write(event)

    def do_POST(self):
        at = time.monotonic()
        body = b""
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.send_response(202)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.server.answers.put((at, self.path, body))

    def log_message(self, *_):
        pass


class Function:
    """A program that runs while it is used in `with`; under callgrind if it is counted."""

    def __init__(self, program, is_counted=False):
        self.name = program.name
        self.interface = Interface()
        self.folder = tempfile.TemporaryDirectory()
        self.profile = f"{self.folder.name}/profile"
        self.counts = itertools.count(1)
        environment = {name: value for name, value in os.environ.items() if name.upper() not in UNSET}
        environment |= dict(
            AWS_LAMBDA_RUNTIME_API=f"127.0.0.1:{self.interface.server_port}",
            AWS_LAMBDA_FUNCTION_NAME=self.name,
            AWS_LAMBDA_FUNCTION_MEMORY_SIZE="256",
            AWS_LAMBDA_FUNCTION_VERSION="1",
            AWS_LAMBDA_LOG_GROUP_NAME="/aws/lambda/measured",
            AWS_LAMBDA_LOG_STREAM_NAME="measured",
            LOG="warn",
        )
        callgrind = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={self.profile}", "--compress-strings=no"]
        command = [*callgrind, str(program)] if is_counted else [str(program)]
        self.log = open(f"{self.folder.name}/log", "w+", encoding="utf-8")
        self.began = time.monotonic()
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=self.log)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.interface.events.put(None)
        self.interface.shutdown()
        self.interface.server_close()
        self.log.close()
        self.folder.cleanup()

    def invoke(self, event):
        """What the function answers, and the seconds since its start; returns when it waits for the next event."""
        self.received(self.interface.polls)
        self.interface.events.put(event.encode())
        at, path, body = self.received(self.interface.answers)
        self.interface.polls.put(self.received(self.interface.polls))
        answer = json.loads(body)
        # Nobody here issues the tokens that the endpoint of MCP takes.
        accepted = (200, 401) if self.name == "mcp" else (200,)
        if not path.endswith("/response") or answer.get("statusCode", 200) not in accepted:
            self.fail(f"answers {answer}")
        return answer, at - self.began

    def received(self, sent):
        try:
            return sent.get(timeout=PATIENCE)
        except queue.Empty:
            return self.fail("does not answer")

    def fail(self, how):
        self.log.seek(0)
        raise SystemExit(f"{self.name} {how}\n{self.log.read()}")

    def peak(self):
        """Bytes of memory that have been resident at once."""
        status = Path(f"/proc/{self.process.pid}/status").read_text(encoding="utf-8")
        return int(re.search(r"VmHWM:\s+(\d+) kB", status)[1]) * 1024

    def count(self):
        """Instructions and allocations since the last count."""
        subprocess.run(
            ["vgdb", f"--pid={self.process.pid}", "--wait=30", "dump"],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )
        instructions = allocations = 0
        called = None
        with open(f"{self.profile}.{next(self.counts)}", encoding="utf-8") as lines:
            for line in lines:
                if line.startswith("cfn="):
                    called = line[4:].strip()
                elif line.startswith("calls=") and called in ALLOCATING:
                    allocations += int(line[6:].split()[0])
                elif line.startswith("totals: "):
                    instructions = int(line[8:])
        return instructions, allocations
