// Uses the client that @hey-api/openapi-ts generates against a running service, and against one that is
// newer (newer.py).
//
// hey.ts <base address> <API key> <address of the newer service>

import { client } from "./client.gen.ts";
import {
  analyzePrompt,
  createPreset,
  generatePrompt,
  getCapabilities,
  getOperation,
  getWebhookEndpoint,
  listOperations,
  renderPreset,
} from "./sdk.gen.ts";

declare const process: { argv: string[] };

const [baseUrl = "", auth = "", newer = ""] = process.argv.slice(2);
client.setConfig({ baseUrl, auth });

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const preset = await createPreset({
  body: { name: "City trips", promptText: "Three days in {{city}}", values: { city: "Lisbon" } },
});
check(preset.data !== undefined, "preset");
const id = preset.data.data.id;
const rendered = await renderPreset({ path: { id }, body: { values: { city: "Porto" } } });
check(rendered.data?.data.text === "Three days in Porto", "rendered");

const accepted = await generatePrompt({
  headers: { "Idempotency-Key": "hey-1", Prefer: "respond-async" },
  body: { message: "A lighthouse at dawn" },
});
check(accepted.data !== undefined && "status" in accepted.data.data, "accepted");
let operation = accepted.data.data;
for (let turn = 0; turn < 100 && ["PENDING", "RUNNING"].includes(operation.status); turn += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const polled = await getOperation({ path: { id: operation.id } });
  check(polled.data !== undefined, "polled");
  operation = polled.data.data;
}
check(operation.kind === "generatePrompt", "a prompt");
check(operation.result?.prompt.includes("lighthouse") === true, "a typed result");

const refused = await createPreset({ body: { name: "", promptText: "", values: {} } });
check(refused.error?.error.code === "invalid_request", "refused");

client.setConfig({ baseUrl: newer });
const added = "added_later";
const granted = await getCapabilities();
check(granted.data?.data.scopes[0] === added, "a newer scope");
const analyzed = await analyzePrompt({
  headers: { "Idempotency-Key": "hey-2" },
  body: { prompt: "At most ten words" },
});
check(analyzed.data !== undefined && "constraints" in analyzed.data.data, "analyzed");
check(analyzed.data.data.targetModel === added, "a newer model");
check(analyzed.data.data.constraints[0]?.kind === added, "a newer constraint");
const listed = await listOperations();
const newest: string | undefined = listed.data?.data.items[0]?.kind;
check(newest === added, "a newer operation");
const endpoint = await getWebhookEndpoint({ path: { id: "whe_1" } });
check(endpoint.data?.data.events[0] === added, "a newer event");
const missing = await getOperation({ path: { id: "none" } });
check(missing.error?.error.code === added, "a newer code");

console.log("second typescript client: passed");
