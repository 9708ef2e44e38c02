"""Every AI operation through a small model: each ends as a result, or as a failure that the API declares.

    calls.py <base URL> <key> <declared document> <name of the setting> <fallback: yes or no> <optimization or ->

Prints a table; the last line has the id of an optimization, or -.
"""

import json
import struct
import sys
import time
import urllib.error
import urllib.request
import uuid
import zlib
from base64 import b64encode
from pathlib import Path

API, KEY, DOCUMENT, SETTING, FALLS_BACK, OPTIMIZATION = sys.argv[1:7]
# An operation has three attempts of 100 seconds at most.
LONGEST = 400
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
declared = set(json.loads(Path(DOCUMENT).read_text())["components"]["schemas"]["Code"]["enum"])
failures = []


def send(method, path, body=None, headers=()):
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    url = path if path.startswith("http") else API + path
    own = {"authorization": f"Bearer {KEY}", "content-type": "application/json"}
    request = urllib.request.Request(url, data, dict(headers) if url == path else own | dict(headers), method=method)
    try:
        with opener.open(request, timeout=120) as answer:
            text = answer.read()
            return answer.status, json.loads(text) if text else {}
    except urllib.error.HTTPError as error:
        return error.code, json.loads(error.read() or "{}")


def ended(operation):
    """The operation once it has ended; None if it takes too long."""
    until = time.monotonic() + LONGEST
    while time.monotonic() < until:
        now = send("GET", f"/operations/{operation}")[1]["data"]
        if now["status"] in ("SUCCEEDED", "FAILED"):
            return now
        time.sleep(1)


def ask(path, body, deferred=True):
    """The operation's end: its result or its error."""
    headers = {"idempotency-key": str(uuid.uuid4())} | ({"prefer": "respond-async"} if deferred else {})
    status, answer = send("POST", path, body, headers)
    if status == 202:
        operation = ended(answer["data"]["id"])
    elif answer.get("error", {}).get("code") == "provider_timeout":
        # The call has outlasted its time, the operation goes on. The key of a failed one would start another.
        operation = ended(send("GET", "/operations?limit=1")[1]["data"]["items"][0]["id"])
    else:
        return answer.get("data"), answer.get("error")
    if operation is None:
        return None, {"code": "no end", "message": f"within {LONGEST} s"}
    if operation["status"] == "SUCCEEDED" and not deferred:
        return send("POST", path, body, headers)[1]["data"], None
    return operation["result"], operation["error"]


def picture():
    """A PNG of 64 pixels a side, red above blue."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(b"\0" + (b"\xd0\x20\x20" if row < 32 else b"\x20\x20\xd0") * 64 for row in range(64))
    header = struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def uploaded():
    file = picture()
    asked = {"scope": "reverse_image", "filename": "a.png", "contentType": "image/png", "size": len(file)}
    created = send("POST", "/uploads", asked)[1]["data"]
    send("PUT", created["upload"]["url"], file, created["upload"]["headers"])
    send("POST", f"/uploads/{created['id']}/complete")
    return created["id"]


def tokens():
    models = send("GET", "/usage")[1]["data"].get("models", [])
    return sum(model["inputTokens"] for model in models), sum(model["outputTokens"] for model in models)


def row(name, path, body, deferred=True):
    before, begun = tokens(), time.monotonic()
    result, error = ask(path, body, deferred)
    took, (read, written) = time.monotonic() - begun, tokens()
    read, written = read - before[0], written - before[1]
    if result is not None:
        engine = result.get("engine") or result.get("analysis", {}).get("engine")
        end = f"result of {engine['name']}"
        usage = engine.get("usage")
        if engine["kind"] == "llm" and not (usage and usage["outputTokens"] and written):
            failures.append(f"{name}: a result of the model without its tokens")
    else:
        end = error["code"]
        if end not in declared or end == "internal_error":
            failures.append(f"{name}: {error}")
        if FALLS_BACK == "yes":
            failures.append(f"{name}: no result of the rules: {error}")
    print(f"{SETTING:14} {name:22} {took:5.0f} s {read:6} {written:6}  {end}", flush=True)
    if error:
        print(f"{'':14}   {error['message'][:160]}", flush=True)
    return result


def publication():
    item = {"title": "Kettle letters", "promptText": "Write a letter about a kettle.", "description": "For shops.",
            "category": "Marketing", "recommendedModels": ["Universal"]}
    item = send("POST", "/library/items", item)[1]["data"]
    begun = time.monotonic()
    status, answer = send("POST", f"/library/items/{item['id']}/publish")
    end = answer.get("data", {}).get("moderation") or answer["error"]["code"]
    print(f"{SETTING:14} {'publish':22} {time.monotonic() - begun:5.0f} s {'':6} {'':6}  {end}", flush=True)
    if status != 200 and end not in declared:
        failures.append(f"publish: {answer}")


PROMPT = "Write a short text about our new kettle for customers. Mention the price of 49.90 EUR."
WISH = "Make it at most 60 words."
FRAME = "data:image/png;base64," + b64encode(picture()).decode()

row("generate", "/prompts/generate", {"message": "A thank-you note to a colleague"})
row("analyze", "/prompts/analyze", {"prompt": PROMPT})
optimized = row("optimize", "/prompts/optimize", {"prompt": PROMPT})
row("analyze and optimize", "/prompts/analyze-and-optimize", {"prompt": PROMPT})
row("refine", "/prompts/refine", {"prompt": PROMPT, "feedback": WISH})
if optimized:
    OPTIMIZATION = f"{optimized['optimizationId']}/{optimized['versions'][0]['versionId']}"
if OPTIMIZATION != "-":
    optimization, version = OPTIMIZATION.split("/")
    body = {"sourceVersionId": version, "feedback": WISH}
    row("refine an optimization", f"/optimizations/{optimization}/refinements", body, deferred=False)
row("reverse a text", "/reverse-prompts", {"type": "text", "content": "Dear team, the launch moves to Friday. Ann"})
row("reverse a picture", "/reverse-prompts", {"type": "image", "uploadId": uploaded()})
video = {"type": "video", "frames": [FRAME] * 2, "frameCount": 2, "videoDuration": 4}
row("reverse a video", "/reverse-prompts", video)
publication()
if tokens() == (0, 0):
    failures.append("no token of the model was counted")
print("\n".join(f"FAILED {failure}" for failure in failures), file=sys.stderr)
print(OPTIMIZATION)
sys.exit(bool(failures))
