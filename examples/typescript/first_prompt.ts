// The first prompt.

const { API, KEY } = process.env;

const answer = await fetch(`${API}/prompts/generate`, {
  method: "POST",
  headers: {
    Authorization: `Bearer ${KEY}`,
    "Content-Type": "application/json",
    "Idempotency-Key": crypto.randomUUID(),
  },
  body: JSON.stringify({ message: "Write a blog post about hiking in Iceland", targetModel: "Claude Opus 5.5" }),
});
if (!answer.ok) throw new Error(await answer.text());
const { data } = (await answer.json()) as { data: { prompt: string } };
console.log(data.prompt);
