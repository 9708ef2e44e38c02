"""A webhook, received and verified. The service must run with --allow-loopback."""

import os
import queue
import threading
import uuid
from http.server import BaseHTTPRequestHandler, HTTPServer

import httpx
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

api = httpx.Client(
    base_url=os.environ["API"],
    headers={"Authorization": f"Bearer {os.environ['KEY']}"},
    timeout=30,
)
received: queue.Queue[dict] = queue.Queue()


class Receiver(BaseHTTPRequestHandler):
    """Takes what is signed with the secret. Deliveries may repeat: `webhook-id` tells which one it is."""

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        try:
            event = webhook.verify(body, dict(self.headers.items()))
        except WebhookVerificationError:
            self.send_response(401)
        else:
            self.send_response(204)
            received.put(event)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


server = HTTPServer(("127.0.0.1", 0), Receiver)
endpoint = api.post(
    "/webhook-endpoints",
    json={"url": f"http://127.0.0.1:{server.server_port}/", "events": ["operation.succeeded"]},
)
endpoint = endpoint.raise_for_status().json()["data"]
# The secret is told at creation and never again.
webhook = Webhook(endpoint["secret"])
threading.Thread(target=server.serve_forever, daemon=True).start()

forged = httpx.post(endpoint["url"], json={"type": "operation.succeeded"})
assert forged.status_code == 401

made = api.post(
    "/prompts/generate",
    headers={"Idempotency-Key": str(uuid.uuid4())},
    json={"message": "A haiku about rain"},
)
made.raise_for_status()
event = received.get(timeout=30)
assert event["data"]["operationId"] == made.json()["data"]["operationId"]
print(event["type"], event["data"])

api.delete(f"/webhook-endpoints/{endpoint['id']}").raise_for_status()
