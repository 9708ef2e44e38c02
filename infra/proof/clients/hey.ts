// Uses the client that @hey-api/openapi-ts generates against a running service.
//
// hey.ts <base address> <API key>

import { client } from "./client.gen.ts";
import { createPreset, generatePrompt, getOperation, renderPreset } from "./sdk.gen.ts";

declare const process: { argv: string[] };

const [baseUrl = "", auth = ""] = process.argv.slice(2);
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

console.log("second typescript client: passed");
