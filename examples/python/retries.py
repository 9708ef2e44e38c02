"""Retries that never charge twice: every attempt carries the same Idempotency-Key."""

import os
import time
import uuid

import httpx

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)


def passes(answer: httpx.Response) -> bool:
    """Whether another attempt may be answered otherwise. API Gateway's own errors have no code."""
    if answer.is_success:
        return False
    if "idempotency_in_progress" in answer.text:
        return True
    return answer.status_code >= 500 or answer.status_code == 429 and "credits_exhausted" not in answer.text


def safely(path: str, body: dict, key: str, attempts: int = 5) -> httpx.Response:
    """Posts until there is an answer that another attempt would not change."""
    pause = 1.0
    for attempt in range(1, attempts + 1):
        try:
            answer = api.post(path, json=body, headers={"Idempotency-Key": key})
            if not passes(answer) or attempt == attempts:
                return answer.raise_for_status()
            time.sleep(float(answer.headers.get("Retry-After", pause)))
        except httpx.TransportError:
            # Whether it arrived is unknown, and need not be known.
            if attempt == attempts:
                raise
            time.sleep(pause)
        pause *= 2
    raise AssertionError("unreachable")


key = str(uuid.uuid4())
body = {"prompt": "Write something nice about {{product}}", "targetModel": "Claude Opus 5.5"}
first = safely("/prompts/optimize", body, key)
print(first.json()["data"]["versions"][0]["prompt"])

# Had the answer been lost, asking again would have brought the same one, free of charge.
second = safely("/prompts/optimize", body, key)
assert second.json()["data"] == first.json()["data"]
print("Idempotent-Replayed:", second.headers["Idempotent-Replayed"])
