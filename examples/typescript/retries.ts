// Retries that never charge twice: every attempt carries the same Idempotency-Key.

import { setTimeout as sleep } from "node:timers/promises";

type Optimized = { data: { versions: { prompt: string }[] } };

const { API, KEY } = process.env;

/** Whether another attempt may be answered otherwise. API Gateway's own errors have no code. */
function passes(status: number, text: string): boolean {
  if (text.includes("idempotency_in_progress")) return true;
  return status >= 500 || (status === 429 && !text.includes("credits_exhausted"));
}

/** Posts until there is an answer that another attempt would not change. */
async function safely(path: string, body: unknown, key: string, attempts = 5): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    let pause = 2 ** (attempt - 1);
    try {
      const answer = await fetch(`${API}${path}`, {
        method: "POST",
        headers: {
          Authorization: `Bearer ${KEY}`,
          "Content-Type": "application/json",
          "Idempotency-Key": key,
        },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(30_000),
      });
      if (answer.ok) return answer;
      const text = await answer.text();
      if (!passes(answer.status, text) || attempt === attempts) return new Response(text, answer);
      pause = Number(answer.headers.get("retry-after") ?? pause);
    } catch (error) {
      // Whether it arrived is unknown, and need not be known.
      if (attempt === attempts) throw error;
    }
    await sleep(pause * 1000);
  }
}

const key = crypto.randomUUID();
const body = { prompt: "Write something nice about {{product}}", targetModel: "Claude Opus 5.5" };
const first = await safely("/prompts/optimize", body, key);
if (!first.ok) throw new Error(await first.text());
const { data } = (await first.json()) as Optimized;
console.log(data.versions[0]?.prompt);

// Had the answer been lost, asking again would have brought the same one, free of charge.
const second = await safely("/prompts/optimize", body, key);
console.log("Idempotent-Replayed:", second.headers.get("idempotent-replayed"));
