"""An upload, reversed: the prompt of a picture. `upload.py PICTURE.png`"""

import os
import sys
from pathlib import Path

import httpx

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)
picture = Path(sys.argv[1]).read_bytes()

created = api.post(
    "/uploads",
    json={
        "scope": "reverse_image",
        "filename": "picture.png",
        "contentType": "image/png",
        "size": len(picture),
    },
)
created.raise_for_status()
upload = created.json()["data"]

# To the storage, with exactly the headers that it names, and without the key.
target = upload["upload"]
httpx.put(target["url"], headers=target["headers"], content=picture).raise_for_status()

ready = api.post(f"/uploads/{upload['id']}/complete").raise_for_status()
assert ready.json()["data"]["status"] == "ready"

reversed_ = api.post(
    "/reverse-prompts",
    headers={"Idempotency-Key": upload["id"]},
    json={"type": "image", "uploadId": upload["id"]},
)
result = reversed_.raise_for_status().json()["data"]
print(f"{result['recovery']}: {result['prompt']}")
