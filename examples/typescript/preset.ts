// A preset, rendered.

type Refusal = { error: { details?: { path: string; message: string }[] } };

const { API, KEY } = process.env;

function call(method: string, path: string, body?: unknown): Promise<Response> {
  return fetch(`${API}${path}`, {
    method,
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

async function data<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: T }).data;
}

const { id } = await data<{ id: string }>(
  await call("POST", "/prompt-presets", {
    name: "City trips",
    promptText: "Plan three days in {{city}} for {{travellers}}.",
    values: { city: "Lisbon" },
  }),
);
const rendered = await call("POST", `/prompt-presets/${id}/render`, { values: { travellers: "two" } });
console.log((await data<{ text: string }>(rendered)).text);

// What is refused says why, problem by problem.
const refused = await call("POST", "/prompt-presets", { name: "", promptText: "" });
const { error } = (await refused.json()) as Refusal;
for (const { path, message } of error.details ?? []) console.log(refused.status, path, message);

await call("DELETE", `/prompt-presets/${id}`);
