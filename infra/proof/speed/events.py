"""The events of the measured requests, and what they need."""

import functools
import itertools
import json
import os
import time
from pathlib import Path

from event_target import addressee
from functions import Function

ROOT = Path(__file__).resolve().parents[3]
# The event that a function starts with, where events/ has several: a read, if one is there.
FIRST = {"deliveries": "deliveries-queue", "presets": "list-presets"}
GOAL = {"message": "Write a cold email that offers our payroll software to dental clinics"}
PRESET = {"name": "City trips", "promptText": "Plan three days in {{city}}.", "values": {"city": "Lisbon"}}
KEYS = itertools.count()
# Seconds from which on a snapshot has an item, and when the official items were there.
SETTLED, BEGAN = 61, time.monotonic()


def first_events():
    """The event that each function starts with: {function: (name, event)}"""
    found = {}
    for path in sorted((ROOT / "events").glob("*.json")):
        text = path.read_text(encoding="utf-8")
        function = addressee(json.loads(text))
        if FIRST.get(function, path.stem) == path.stem:
            text = text.replace("{api_key}", os.environ["API_KEY"]).replace("{access_token}", os.environ["API_KEY"])
            found.setdefault(function, (path.stem, text))
    return found


def event(method, path, query="", body=None, key=None):
    """What API Gateway makes of a request."""
    made = json.loads((ROOT / "events" / "list-presets.json").read_text(encoding="utf-8"))
    made["rawPath"], made["rawQueryString"] = path, query
    made["requestContext"]["http"] |= {"method": method, "path": path}
    made["headers"]["authorization"] = f"Bearer {os.environ['API_KEY']}"
    if body:
        made["headers"]["content-type"] = "application/json"
        made["body"] = json.dumps(body)
    if key:
        made["headers"]["idempotency-key"] = key
    return json.dumps(made)


def generate(key):
    return event("POST", "/v1/prompts/generate", body=GOAL, key=key)


@functools.cache
def compact_official(programs):
    """Has the indexer write the snapshot of the official library. On AWS it does so soon after an import."""
    time.sleep(max(0, SETTLED - (time.monotonic() - BEGAN)))
    made = json.loads((ROOT / "events" / "library-queue.json").read_text(encoding="utf-8"))
    made["Records"] = made["Records"][:1]
    made["Records"][0]["body"] = json.dumps({"rebuild": {"shelf": "official"}})
    with Function(programs / "library-indexer") as indexer:
        indexer.invoke(json.dumps(made))


def requests(programs):
    """Requests of each function: {function: {name: what makes an event}}. Makes what they read."""

    def answered(function, asked):
        answer, _ = function.invoke(asked)
        return json.loads(answer["body"])["data"]

    with Function(programs / "presets") as presets:
        preset = answered(presets, event("POST", "/v1/prompt-presets", body=PRESET))["id"]
    with Function(programs / "prompts") as prompts:
        for number in range(25):
            operation = answered(prompts, generate(f"kept-{number}"))["operationId"]
    page = event("GET", "/v1/library/items", "scope=official&pageSize=30")
    with Function(programs / "library") as library:
        item = answered(library, page)["items"][0]["id"]

    def always(*asked, **options):
        return lambda: event(*asked, **options)

    return {
        "presets": {"preset read": always("GET", f"/v1/prompt-presets/{preset}")},
        "history": {"page of 25 history items": always("GET", "/v1/history", "type=generation&limit=25")},
        "operations": {"finished operation polled": always("GET", f"/v1/operations/{operation}")},
        "system": {"usage": always("GET", "/v1/usage"), "capabilities": always("GET", "/v1/capabilities")},
        "library": {"library item read": always("GET", f"/v1/library/items/{item}"), "library page of 30": lambda: page},
        "prompts": {
            "tokens estimated": always("POST", "/v1/prompts/token-estimate", body={"prompt": GOAL["message"]}),
            "prompt generated, direct": lambda: generate(f"new-{next(KEYS)}"),
            "prompt generated, replayed": lambda: generate("kept-24"),
        },
    }
