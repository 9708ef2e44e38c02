"""A preset, rendered."""

import os

import httpx

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)

created = api.post(
    "/prompt-presets",
    json={
        "name": "City trips",
        "promptText": "Plan three days in {{city}} for {{travellers}}.",
        "values": {"city": "Lisbon"},
    },
)
preset = created.raise_for_status().json()["data"]

rendered = api.post(f"/prompt-presets/{preset['id']}/render", json={"values": {"travellers": "two"}})
print(rendered.raise_for_status().json()["data"]["text"])

# What is refused says why, problem by problem.
refused = api.post("/prompt-presets", json={"name": "", "promptText": ""})
for problem in refused.json()["error"]["details"]:
    print(refused.status_code, problem["path"], problem["message"])

api.delete(f"/prompt-presets/{preset['id']}").raise_for_status()
