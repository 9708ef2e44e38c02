// Opens the documentation page in headless Chromium and calls the API from it, as a newcomer would.
//
// page.mjs <address of the page> <screenshot to write>

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";

import { colours, expect, launch, watch } from "./browser.mjs";

const [address, screenshot] = process.argv.slice(2);
const origin = new URL(address).origin;

/** Opens an operation, fills its fields in, sends the request, and returns status and body shown. */
async function tryOut(page, operationId, { parameters = {}, body } = {}) {
  const block = page.locator(`[id$="-${operationId}"].opblock`);
  await block.locator(".opblock-summary-control").click();
  for (const [name, value] of Object.entries(parameters)) {
    await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
  }
  if (body) await block.locator(".body-param textarea").fill(JSON.stringify(body, null, 2));
  await block.locator("button.execute").click();
  const answer = block.locator(".live-responses-table .response");
  await answer.waitFor();
  const status = await answer.locator(".response-col_status").innerText();
  const shown = await answer.locator(".response-col_description .highlight-code").first().innerText();
  return { block, status: status.trim(), body: JSON.parse(shown.slice(shown.indexOf("{"), shown.lastIndexOf("}") + 1)) };
}

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const { complaints, strangers } = watch(page, [origin]);

  await page.goto(address);
  await page.locator(".opblock").first().waitFor();
  const { paths, webhooks } = await (await fetch(`${origin}/v1/openapi.json`)).json();
  const declared = [paths, webhooks].flatMap(Object.values).flatMap(Object.keys).length;
  const count = await page.locator(".opblock").count();
  expect(`all ${declared} operations and events are shown`, count === declared, count);
  await page.locator(".authorize.locked").waitFor();
  expect("the key is filled in", true);
  await page.reload();
  await page.locator(".authorize.locked").waitFor();
  expect("it is filled in again", true);
  const second = await (await browser.newContext()).newPage();
  await second.goto(address);
  await second.locator(".opblock").first().waitFor();
  const unlocked = await second.locator(".authorize.unlocked").count();
  expect("a second browser gets no key", unlocked > 0 && !(await second.content()).includes("pwk_"), unlocked);
  await second.context().close();

  const offered = await tryOut(page, "getCapabilities");
  expect("GET /capabilities: 200", offered.status === "200", offered.status);
  expect("its answer names the plan", offered.body.data.plan === "max", JSON.stringify(offered.body));

  const generated = await tryOut(page, "generatePrompt", {
    parameters: { "Idempotency-Key": "from-the-page" },
    body: { message: "A packing list for Iceland" },
  });
  expect("POST /prompts/generate: 200", generated.status === "200", generated.status);
  expect("its answer has the prompt", generated.body.data.prompt.includes("Iceland"), JSON.stringify(generated.body));

  await generated.block.locator(".responses-wrapper").scrollIntoViewIfNeeded();
  mkdirSync(dirname(screenshot), { recursive: true });
  const image = await page.screenshot({ path: screenshot });
  const seen = await colours(browser, image);
  expect(`the screenshot shows something: ${seen} colours, ${image.length} bytes`, seen > 100 && image.length > 50_000, "blank");
  expect("nothing was asked of another host", strangers.length === 0, strangers.join(" "));
  expect("the console has no errors", complaints.length === 0, complaints.join("; "));
} finally {
  await browser.close();
}
