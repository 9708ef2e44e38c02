// Opens the documentation page in headless Chromium and calls the API from it, as a newcomer would.
//
// page.mjs <address of the page> <screenshot to write>

import { existsSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";

import { chromium } from "playwright-core";

const [address, screenshot] = process.argv.slice(2);
const origin = new URL(address).origin;

async function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  // It brings one font, and ends where a page needs another: those of the machine are taken where there are any.
  if (existsSync("/etc/fonts/fonts.conf")) process.env.FONTCONFIG_PATH ??= "/etc/fonts";
  // Its copy of the libraries that a bare machine lacks is unpacked if it takes this for AWS Lambda.
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs24.x";
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

function expect(what, holds, found) {
  if (!holds) throw new Error(`${what}: ${found}`);
  console.log(`ok   ${what}`);
}

/** How many colours a picture has, as the browser reads it. */
async function colours(browser, picture) {
  const page = await browser.newPage();
  return page.evaluate(async (source) => {
    const picture = await createImageBitmap(await (await fetch(source)).blob());
    const canvas = new OffscreenCanvas(picture.width, picture.height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, picture.width, picture.height);
    return new Set(new Uint32Array(data.buffer)).size;
  }, `data:image/png;base64,${picture.toString("base64")}`);
}

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

const browser = await chromium.launch({
  executablePath: await executable(),
  // The sandbox needs rights that a container does not give; the one page here is our own.
  args: ["--no-sandbox", "--disable-gpu"],
});
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 1600 } });
  const complaints = [];
  const strangers = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && asked !== origin) strangers.push(request.url());
  });

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
