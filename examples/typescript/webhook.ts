// A webhook, received and verified. The service must run with --allow-loopback.

import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

import { Webhook } from "standardwebhooks";

type Event = { type: string; data: { operationId: string } };

const { API, KEY } = process.env;

async function call<T>(method: string, path: string, body?: unknown, headers = {}): Promise<T> {
  const answer = await fetch(`${API}${path}`, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: T }).data;
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}

let secret = "";
const { promise, resolve } = Promise.withResolvers<Event>();
// Takes what is signed with the secret. Deliveries may repeat: `webhook-id` tells which one it is.
const server = createServer(async (request, response) => {
  const body = await read(request);
  try {
    const event = new Webhook(secret).verify(body, request.headers as Record<string, string>);
    response.writeHead(204).end();
    resolve(event as Event);
  } catch {
    response.writeHead(401).end();
  }
});
server.listen(0, "127.0.0.1");
await once(server, "listening");

const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
const endpoint = await call<{ id: string; secret: string }>("POST", "/webhook-endpoints", {
  url,
  events: ["operation.succeeded"],
});
// It is told at creation and never again.
secret = endpoint.secret;

const forged = await fetch(url, { method: "POST", body: '{"type": "operation.succeeded"}' });
if (forged.status !== 401) throw new Error(`a forged delivery was answered with ${forged.status}`);

const made = await call<{ operationId: string }>(
  "POST",
  "/prompts/generate",
  { message: "A haiku about rain" },
  { "Idempotency-Key": crypto.randomUUID() },
);
const event = await promise;
if (event.data.operationId !== made.operationId) throw new Error("an event of something else");
console.log(event.type, event.data);

await call("DELETE", `/webhook-endpoints/${endpoint.id}`);
server.close();
server.closeAllConnections();
