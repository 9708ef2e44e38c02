"""Sends inputs that are made to be dear, and times what others ask meanwhile.

    hostile.py <base URL> <key of the others> <key of the hostile account> <process>
"""

import json
import re
import struct
import sys
import threading
import time
import urllib.error
import urllib.request
import uuid
import zlib

API, OTHERS, HOSTILE, PROCESS = sys.argv[1:5]
REQUESTS = 24
# How long others are timed at least, in seconds, and how slow one in a hundred of their requests may be.
TIMED, SLOWEST = 15, 0.5
MEMORY = 400_000_000
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def send(method, url, key=None, body=None, headers=None):
    data = body if isinstance(body, bytes) else None if body is None else json.dumps(body).encode()
    sent = {"content-type": "application/json", "idempotency-key": str(uuid.uuid4())}
    sent |= {"authorization": f"Bearer {key}"} if key else {}
    request = urllib.request.Request(url, data, sent if headers is None else headers, method=method)
    try:
        with opener.open(request, timeout=120) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()


def run(kind, parameters, output):
    check = {"id": "c1", "kind": kind, "parameters": parameters}
    return "/prompts/checks/run", {"checks": [check], "outputs": [output]}


def schema(value, output="{}"):
    return run("json_schema", {"value": json.dumps(value)}, output)


def nested_conditions():
    value = {"unevaluatedProperties": False}
    for _ in range(60):
        value = {"if": value, "unevaluatedProperties": False}
    return schema(value)


def shifted_references():
    level = {"type": "object"}
    for _ in range(12):
        level = {"$id": "x", "allOf": [{"$ref": "#/$defs/a"}] * 2, "$defs": {"a": level}}
    return schema(level)


def many_words():
    return run("include_words", {"words": [f"word{n}" for n in range(10_000)]}, "word " * 40_000)


def nested_namespaces():
    tags = [f'<a{n} xmlns:n{n}="u{n}">' for n in range(490)]
    return run("format", {"value": "xml"}, ("".join(tags) + "<b/>" * 40_000)[:200_000])


def open_fences():
    return "/prompts/refine", {"prompt": "```a\n" * 10_000, "feedback": "Make it shorter."}


def many_bounds():
    return "/prompts/optimize", {"prompt": "At most 3 words. Not 5 items. " * 1_660}


def picture():
    """A picture whose metadata is a graph of many nodes in a small compressed chunk."""
    nodes = ",".join(f'"{n}":{{"inputs":{{"text":["{n + 1}",0]}},"class_type":"KSampler"}}' for n in range(60_000))
    text = b"prompt\0\0" + zlib.compress(f"{{{nodes}}}".encode(), 9)
    chunks = [
        (b"IHDR", struct.pack(">IIBBBBB", 64, 64, 8, 2, 0, 0, 0)),
        (b"zTXt", text),
        (b"IDAT", zlib.compress(b"".join(b"\0" + bytes(192) for _ in range(64)))),
        (b"IEND", b""),
    ]
    body = b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )
    return b"\x89PNG\r\n\x1a\n" + body


def upload(file):
    wanted = {"scope": "reverse_image", "filename": "a.png", "contentType": "image/png", "size": len(file)}
    made = json.loads(send("POST", API + "/uploads", HOSTILE, wanted)[1])["data"]
    send(made["upload"]["method"], made["upload"]["url"], None, file, made["upload"]["headers"])
    send("POST", f"{API}/uploads/{made['id']}/complete", HOSTILE)
    return "/reverse-prompts", {"type": "image", "uploadId": made["id"]}


def percentile(times, share):
    return sorted(times)[min(len(times) - 1, int(share * len(times)))]


def memory(field):
    status = open(f"/proc/{PROCESS}/status", encoding="ascii").read()
    return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) * 1024


def main():
    kinds = [nested_conditions, shifted_references, many_words, nested_namespaces, open_fences, many_bounds]
    requests = [make() for make in kinds] + [upload(picture())]
    answers, done = [], threading.Event()

    def hostile(path, body):
        began = time.monotonic()
        status, raw = send("POST", API + path, HOSTILE, body)
        code = json.loads(raw).get("error", {}).get("code", "")
        answers.append((path, status, code, time.monotonic() - began))

    def others(times, ask):
        while not done.is_set():
            began = time.monotonic()
            status, raw = ask()
            times.append(time.monotonic() - began)
            assert status == 200, raw
            time.sleep(0.05)

    goal = {"message": "Write a cold email that offers our payroll software to dental clinics"}
    asked = {
        "GET /health": lambda: send("GET", API + "/health"),
        "POST /prompts/generate": lambda: send("POST", API + "/prompts/generate", OTHERS, goal),
    }
    asked["POST /prompts/generate"]()
    times = {name: [] for name in asked}
    timers = [threading.Thread(target=others, args=(times[name], ask)) for name, ask in asked.items()]
    attackers = [threading.Thread(target=hostile, args=requests[n % len(requests)]) for n in range(REQUESTS)]
    began = time.monotonic()
    for thread in timers + attackers:
        thread.start()
    for thread in attackers:
        thread.join()
    took = time.monotonic() - began
    time.sleep(max(0, TIMED - took))
    done.set()
    for thread in timers:
        thread.join()

    for path, status, code, seconds in sorted(answers):
        print(f"{seconds:8.2f} s  {status} {code:28} {path}")
    slow = [name for name, seen in times.items() if percentile(seen, 0.99) > SLOWEST]
    for name, seen in times.items():
        print(f"{name}: {len(seen)} requests, p50 {percentile(seen, 0.5) * 1000:.0f} ms, p99 {percentile(seen, 0.99) * 1000:.0f} ms")
    print(f"resident: {memory('VmRSS') / 1e6:.0f} MB now, {memory('VmHWM') / 1e6:.0f} MB at most")
    if slow or memory("VmHWM") > MEMORY:
        sys.exit(f"FAIL {', '.join(slow) or 'memory'}")


main()
