"""A service that is newer than the document: answers each operation with its example, in which each value of an
enumeration that may grow is one that was added later. It prints its address.

newer.py <document>
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

ADDED = "added_later"

document = json.loads(Path(sys.argv[1]).read_text())
schemas = document["components"]["schemas"]
growing = {name[3:] for name in schemas if name.startswith("Any") and name[3:] in schemas}
known = {value for name in growing for value in schemas[name]["enum"]}


def newer(value):
    match value:
        case {"kind": _, "parameters": _, **rest}:
            return newer(rest) | {"kind": ADDED, "parameters": {ADDED: 1}}
        case dict():
            return {name: newer(part) for name, part in value.items()}
        case list():
            return [newer(part) for part in value]
        case str() if value in known:
            return ADDED
        case _:
            return value


ANSWERS = [
    (method.upper(), re.compile(re.sub(r"\{\w+\}", "[^/]+", path)), newer(content["example"]))
    for path, item in document["paths"].items()
    for method, operation in item.items()
    if "example" in (content := operation["responses"]["200"]["content"].get("application/json", {}))
]
REFUSED = newer(document["components"]["examples"]["not_found"]["value"])


class Newer(BaseHTTPRequestHandler):
    def do_GET(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        called = self.path.partition("?")[0]
        fitting = (body for method, path, body in ANSWERS if method == self.command and path.fullmatch(called))
        # What is not there is refused for a new reason.
        body = REFUSED if called.endswith("none") else next(fitting, REFUSED)
        content = json.dumps(body).encode()
        self.send_response(404 if body is REFUSED else 200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_POST = do_GET

    def log_message(self, *_):
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Newer)
print(f"http://127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
