"""Which function an event of events/ is for, and whether what it answered will do.

    event_target.py <event>             prints the function's name
    event_target.py <event> <answer>    fails unless the answer is one

Events of the API go where the router in Cargo.toml says; those of queues to the functions that the folder of
functions/ and the queue's name tell apart.
"""

import json
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# The functions of queues, by the end of their queue's name.
FED = {
    "operations": "processor",
    "deliveries": "deliveries",
    "slow-deliveries": "deliveries",
    "upload-events": "upload-events",
    "library": "library-indexer",
}


def addressee(event):
    if "routeKey" in event:
        workspace = tomllib.loads((ROOT / "Cargo.toml").read_text())["workspace"]
        router = workspace["metadata"]["lambda"]["watch"]["router"]
        return router[event["routeKey"].removeprefix("ANY ")]
    queue = event["Records"][0]["eventSourceARN"].rsplit(":", 1)[1]
    (function,) = [fed for end, fed in FED.items() if queue.removeprefix("prompt-workflow-") == end]
    return function


def main(path, answered=None):
    event = json.loads(Path(path).read_text())
    if answered is None:
        print(addressee(event))
        return None
    answer = json.loads(Path(answered).read_text())
    if "routeKey" in event:
        # A placeholder is no credential, and no function trusts an issuer of this machine: they are told so.
        bearer = event["headers"].get("authorization", "")
        refused = bearer in ("Bearer {api_key}", "Bearer {access_token}") and answer.get("statusCode") == 401
        if refused and json.loads(answer["body"])["error"]["code"] == "invalid_credentials":
            return None
        body = json.loads(answer["body"]) if answer.get("statusCode") == 200 else {}
        return None if "data" in body and "requestId" in body else f"no answer of the API: {answer}"
    failures = answer.get("batchItemFailures")
    if not isinstance(failures, list):
        return f"no answer to a batch: {answer}"
    known = {record["messageId"] for record in event["Records"]}
    unknown = {failure["itemIdentifier"] for failure in failures} - known
    return f"failures of nobody's messages: {unknown}" if unknown else None


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
