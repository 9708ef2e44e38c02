"""The first prompt."""

import os
import uuid

import httpx

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)

answer = api.post(
    "/prompts/generate",
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json={"message": "Write a blog post about hiking in Iceland", "targetModel": "Claude Opus 5.5"},
)
answer.raise_for_status()
print(answer.json()["data"]["prompt"])
