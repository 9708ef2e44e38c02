// Uses the generated TypeScript client against a running service, and against one that is newer (newer.py).
//
// smoke.ts <base address> <API key> <address of the newer service>

import createClient from "openapi-fetch";

import type { components, paths } from "./schema.ts";

declare const process: { argv: string[] };

const [baseUrl = "", key = "", newer = ""] = process.argv.slice(2);

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${key}` } });

const models = await client.GET("/models");
check(models.data !== undefined, "models");
const target: components["schemas"]["TargetModel"] = "Midjourney V8.1";
check(models.data.data.items.some((model) => model.name === target), "a model of the list");

const body = { message: "A lighthouse at dawn", targetModel: target };
const header = { "Idempotency-Key": "typescript-1" };
const made = await client.POST("/prompts/generate", { params: { header }, body });
check(made.response.status === 200 && made.data !== undefined, "generated");
check("prompt" in made.data.data && made.data.data.prompt.includes("lighthouse"), "the prompt");
const again = await client.POST("/prompts/generate", { params: { header }, body });
check(again.response.headers.get("idempotent-replayed") === "true", "replayed");

const accepted = await client.POST("/prompts/generate", {
  params: { header: { "Idempotency-Key": "typescript-2", Prefer: "respond-async" } },
  body,
});
check(accepted.response.status === 202 && accepted.data !== undefined, "accepted");
check("status" in accepted.data.data, "an operation");
const { id } = accepted.data.data;
let operation = accepted.data.data;
for (let turn = 0; turn < 100 && ["PENDING", "RUNNING"].includes(operation.status); turn += 1) {
  await new Promise((resolve) => setTimeout(resolve, 100));
  const polled = await client.GET("/operations/{id}", { params: { path: { id } } });
  check(polled.data !== undefined, "polled");
  operation = polled.data.data;
}
check(operation.status === "SUCCEEDED" && operation.kind === "generatePrompt", operation.status);
check(operation.result?.prompt.includes("lighthouse") === true, "a typed result");

const page = await client.GET("/history", { params: { query: { type: "generation", limit: 1 } } });
check(page.data !== undefined && page.data.data.items.length === 1 && page.data.data.hasMore, "history");

const preset = await client.POST("/prompt-presets", {
  body: { name: "City trips", promptText: "Three days in {{city}}", values: { city: "Lisbon" } },
});
check(preset.data !== undefined, "preset");
const rendered = await client.POST("/prompt-presets/{id}/render", {
  params: { path: { id: preset.data.data.id } },
  body: { values: { city: "Porto" } },
});
check(rendered.data?.data.text === "Three days in Porto", "rendered");

const refused = await client.POST("/prompt-presets", { body: { name: "", promptText: "", values: {} } });
check(refused.error?.error.code === "invalid_request", "refused");
const problems = (refused.error.error.details ?? []).map((detail) => detail.path).sort();
check(problems.join() === "/name,/promptText", problems.join());

const stranger = await client.GET("/usage", { headers: { Authorization: "Bearer pwk_wrong" } });
check(stranger.error?.error.code === "invalid_credentials", "a stranger");

const later = createClient<paths>({ baseUrl: newer, headers: { Authorization: `Bearer ${key}` } });
const added = "added_later";
const granted = await later.GET("/capabilities");
check(granted.data?.data.scopes[0] === added, "a newer scope");
const analyzed = await later.POST("/prompts/analyze", {
  params: { header: { "Idempotency-Key": "typescript-3" } },
  body: { prompt: "At most ten words" },
});
check(analyzed.data !== undefined && "constraints" in analyzed.data.data, "analyzed");
check(analyzed.data.data.targetModel === added, "a newer model");
check(analyzed.data.data.constraints[0]?.kind === added, "a newer constraint");
const listed = await later.GET("/operations");
const newest: string | undefined = listed.data?.data.items[0]?.kind;
check(newest === added, "a newer operation");
const endpoint = await later.GET("/webhook-endpoints/{id}", { params: { path: { id: "whe_1" } } });
check(endpoint.data?.data.events[0] === added, "a newer event");
const missing = await later.GET("/operations/{id}", { params: { path: { id: "none" } } });
check(missing.error?.error.code === added, "a newer code");

console.log("typescript client: passed");
