// An upload, reversed: the prompt of a picture. `upload.ts PICTURE.png`

import { readFile } from "node:fs/promises";

type Created = { id: string; upload: { url: string; headers: Record<string, string> } };

const { API, KEY } = process.env;

async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const answer = await fetch(`${API}${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${KEY}`, "Content-Type": "application/json", ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return ((await answer.json()) as { data: T }).data;
}

const picture = await readFile(process.argv[2] ?? "picture.png");
const { id, upload } = await post<Created>("/uploads", {
  scope: "reverse_image",
  filename: "picture.png",
  contentType: "image/png",
  size: picture.length,
});

// To the storage, with exactly the headers that it names, and without the key.
const stored = await fetch(upload.url, { method: "PUT", headers: upload.headers, body: picture });
if (!stored.ok) throw new Error(await stored.text());

const { status } = await post<{ status: string }>(`/uploads/${id}/complete`, {});
if (status !== "ready") throw new Error(status);

const result = await post<{ recovery: string; prompt: string }>(
  "/reverse-prompts",
  { type: "image", uploadId: id },
  { "Idempotency-Key": id },
);
console.log(`${result.recovery}: ${result.prompt}`);
