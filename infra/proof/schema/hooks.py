"""Gives schemathesis what no generator can make up: identifiers of resources that exist, callers of several rights,
and addresses that this machine answers.

Read by `schemathesis run` through SCHEMATHESIS_HOOKS. Needs API, KEY and TOKEN_URL, CLIENT and CLIENT_SECRET.
"""

import json
import os
import random
import struct
import sys
import threading
import urllib.error
import urllib.parse
import urllib.request
import zlib

import schemathesis

# Python 3.11 counts the C stack of its compiler as calls, and Hypothesis compiles below deeply nested schemas.
sys.setrecursionlimit(10_000)

API = os.environ["API"]
KEY = os.environ["KEY"]
# How often a generated value gives way to a real one.
REAL = 0.8
# How often a caller has one scope, and how often nothing that is known.
NARROW = 0.03
UNKNOWN = 0.05
KEPT = 4

choice = random.Random(int(os.environ.get("SEED", "1")))
lock = threading.RLock()


def png():
    """A picture of one pixel."""
    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    header = struct.pack(">IIBBBBB", 1, 1, 8, 2, 0, 0, 0)
    pixels = zlib.compress(b"\0" + choice.randbytes(3))
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", pixels) + chunk(b"IEND", b"")


def call(method, path, body=None, headers=None):
    """The data of an answer, or nothing if it is an error."""
    request = urllib.request.Request(API + path, method=method, headers={
        "Authorization": f"Bearer {KEY}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"hook-{choice.getrandbits(96):x}",
        **(headers or {}),
    }, data=None if body is None else json.dumps(body).encode())
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError:
        return None


def token(scope):
    """An access token with these scopes."""
    form = {"grant_type": "client_credentials", "client_id": os.environ["CLIENT"],
            "client_secret": os.environ["CLIENT_SECRET"], **({"scope": scope} if scope else {})}
    posted = urllib.parse.urlencode(form).encode()
    with urllib.request.urlopen(os.environ["TOKEN_URL"], posted, timeout=60) as answer:
        return json.load(answer)["access_token"]


def uploaded(scope, complete=True):
    file = png()
    made = call("POST", "/uploads", {"scope": scope, "filename": "a.png", "contentType": "image/png", "size": len(file)})
    if not made:
        return None
    target = made["upload"]
    put = urllib.request.Request(target["url"], method=target["method"], headers=target["headers"], data=file)
    try:
        urllib.request.urlopen(put, timeout=60).close()
    except urllib.error.HTTPError:
        return None
    if complete:
        call("POST", f"/uploads/{made['id']}/complete")
    return made["id"]


def identifier(data, name="id"):
    return data and data[name]


ITEM = {"title": "A trip", "promptText": "Plan a trip to {{city}}.", "recommendedModels": ["Universal"],
        "category": "Travel"}
PROMPT = "Write about the sea for {{reader}}, in 40 words"
MAKERS = {
    "preset": lambda: identifier(call("POST", "/prompt-presets", {
        "name": "Trips", "promptText": "Plan {{days}} days in {{city}}.", "values": {"city": "Rome"}})),
    "library": lambda: identifier(call("POST", "/library/items", ITEM)),
    "operation": lambda: identifier(call("POST", "/prompts/generate", {"message": "A haiku"},
                                         {"Prefer": "respond-async"})),
    "generation": lambda: identifier(call("POST", "/prompts/generate", {"message": "A haiku"}), "generationId"),
    "optimization": lambda: identifier(call("POST", "/prompts/optimize", {"prompt": PROMPT}), "optimizationId"),
    "refinement": lambda: identifier(call("POST", "/prompts/refine", {
        "prompt": PROMPT, "feedback": "At most 30 words"}), "refinementId"),
    "upload": lambda: uploaded("analysis", complete=choice.random() < 0.5),
    "endpoint": lambda: endpoint(),
    **{scope: (lambda scope=scope: uploaded(scope)) for scope in
       ["analysis", "refinement", "feedback", "generation", "reverse_image"]},
}


def endpoint():
    """Ten an account are allowed."""
    items = call("GET", "/webhook-endpoints")["items"]
    if len(items) > 8:
        call("DELETE", f"/webhook-endpoints/{items[0]['id']}")
    return identifier(call("POST", "/webhook-endpoints", {"url": f"{API}/models", "events": ["operation.failed"]}))


kept = {}


def real(kind, consumed=False):
    """A resource of a kind; one that an operation consumes is made for it."""
    with lock:
        if consumed:
            return MAKERS[kind]()
        pool = kept.setdefault(kind, [])
        if len(pool) < KEPT or choice.random() < 0.02:
            pool.append(MAKERS[kind]())
            del pool[:-KEPT]
        return choice.choice(pool)


KINDS = {"prompt-presets": "preset", "library": "library", "operations": "operation", "optimizations": "optimization",
         "uploads": "upload", "webhook-endpoints": "endpoint"}
SCOPES = {"generatePrompt": "generation", "refinePrompt": "refinement", "refineOptimizedPrompt": "feedback"}
tokens = {}


def caller():
    """Mostly the key, sometimes a token, rarely one with a single scope."""
    drawn = choice.random()
    if drawn > 0.2:
        return KEY
    scope = "usage:read" if drawn < NARROW else ""
    with lock:
        if scope not in tokens:
            tokens[scope] = token(scope)
        return tokens[scope]


def path_of(case):
    parameters = case.path_parameters
    if not parameters or "id" not in parameters or choice.random() > REAL:
        return
    kind = KINDS.get(case.path.split("/")[1])
    if kind is None and parameters.get("type") in ("generation", "optimization", "refinement"):
        kind = parameters["type"]
    if kind:
        found = real(kind, consumed=case.method.upper() == "DELETE" or case.path.endswith("/complete"))
        if found:
            parameters["id"] = found


def body_of(case):
    body = case.body
    if not isinstance(body, dict):
        return
    operation = case.operation.definition.raw.get("operationId")

    def put(name, make):
        if isinstance(body.get(name), str) and choice.random() < REAL:
            body[name] = make() or body[name]

    put("uploadId", lambda: real("reverse_image", consumed=True))
    put("refinementId", lambda: real("refinement"))
    if operation == "generatePrompt":
        put("generationId", lambda: real("generation"))
    if body.get("attachmentIds") and choice.random() < REAL:
        attachment = real(SCOPES.get(operation, "analysis"), consumed=True)
        body["attachmentIds"] = [attachment] if attachment else []
    if isinstance(body.get("sourceVersionId"), str) and choice.random() < REAL:
        body["sourceVersionId"] = str(case.path_parameters.get("id", "")).replace("opt_", "ver_")
    # Nothing else than this machine is asked.
    url = body.get("url")
    if isinstance(url, str) and url.lower().startswith("http"):
        body["url"] = f"{API}/docs" if choice.random() < 0.5 else "http://127.0.0.1:65534/"


@schemathesis.hook
def before_call(context, case, kwargs):
    with lock:
        path_of(case)
        body_of(case)
        case.headers = case.headers or {}
        # Else most calls repeat a key with another body, which tells nothing of the operation.
        if 1 <= len(case.headers.get("Idempotency-Key", "")) <= 255 and choice.random() < REAL:
            case.headers["Idempotency-Key"] = f"case-{choice.getrandbits(96):x}"
        # What was generated stands for those who have no key.
        if choice.random() > UNKNOWN:
            case.headers["Authorization"] = f"Bearer {caller()}"
