"""Without waiting: the operation is accepted at once, and polled until it has ended."""

import os
import time
import uuid

import httpx

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)

accepted = api.post(
    "/prompts/generate",
    headers={"Idempotency-Key": str(uuid.uuid4()), "Prefer": "respond-async"},
    json={"message": "Plan a three-day trip to Lisbon"},
)
accepted.raise_for_status()

while True:
    operation = api.get(accepted.headers["Location"]).raise_for_status().json()["data"]
    if operation["status"] not in ("PENDING", "RUNNING"):
        break
    time.sleep(0.5)
if operation["status"] != "SUCCEEDED":
    raise SystemExit(operation["error"])
print(operation["result"]["prompt"])
