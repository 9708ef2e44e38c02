// Without waiting: the operation is accepted at once, and polled until it has ended.

import { setTimeout as sleep } from "node:timers/promises";

type Operation = {
  status: "PENDING" | "RUNNING" | "SUCCEEDED" | "FAILED" | "CANCELLED";
  result: { prompt: string } | null;
  error: { code: string; message: string } | null;
};

const { API, KEY } = process.env;
const authorization = { Authorization: `Bearer ${KEY}` };

const accepted = await fetch(`${API}/prompts/generate`, {
  method: "POST",
  headers: {
    ...authorization,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
    Prefer: "respond-async",
  },
  body: JSON.stringify({ message: "Plan a three-day trip to Lisbon" }),
});
const location = accepted.headers.get("location");
if (accepted.status !== 202 || location === null) throw new Error(await accepted.text());

async function poll(address: string): Promise<Operation> {
  const answer = await fetch(address, { headers: authorization });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: Operation }).data;
}

let operation = await poll(location);
while (operation.status === "PENDING" || operation.status === "RUNNING") {
  await sleep(500);
  operation = await poll(location);
}
if (operation.result === null) throw new Error(operation.error?.message ?? operation.status);
console.log(operation.result.prompt);
