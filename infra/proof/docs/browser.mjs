// What the proofs of the pages share: headless Chromium, and what is expected of every page.

import { existsSync } from "node:fs";

import { chromium } from "playwright-core";

async function executable() {
  if (process.env.CHROMIUM) return process.env.CHROMIUM;
  // It brings one font, and ends where a page needs another: those of the machine are taken where there are any.
  if (existsSync("/etc/fonts/fonts.conf")) process.env.FONTCONFIG_PATH ??= "/etc/fonts";
  // Its copy of the libraries that a bare machine lacks is unpacked if it takes this for AWS Lambda.
  process.env.AWS_EXECUTION_ENV ??= "AWS_Lambda_nodejs24.x";
  const { default: packed } = await import("@sparticuz/chromium");
  return packed.executablePath();
}

/** A browser. */
export async function launch() {
  return chromium.launch({
    executablePath: await executable(),
    // The sandbox needs rights that a container does not give; the pages here are our own.
    args: ["--no-sandbox", "--disable-gpu"],
  });
}

export function expect(what, holds, found) {
  if (!holds) throw new Error(`${what}: ${found}`);
  console.log(`ok   ${what}`);
}

/** Collects what a page complains about, and which hosts beside `origins` it asks. */
export function watch(page, origins) {
  const complaints = [];
  const strangers = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(`${message.text()} ${message.location().url}`);
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol !== "data:" && protocol !== "blob:" && !origins.includes(asked)) strangers.push(request.url());
  });
  return { complaints, strangers };
}

/** A picture as the browser reads it: its size, and each pixel as a number. */
export async function read(browser, picture) {
  const page = await browser.newPage();
  const { width, height, data } = await page.evaluate(async (source) => {
    const picture = await createImageBitmap(await (await fetch(source)).blob());
    const { width, height } = picture;
    const canvas = new OffscreenCanvas(width, height).getContext("2d");
    canvas.drawImage(picture, 0, 0);
    const { data } = canvas.getImageData(0, 0, width, height);
    let text = "";
    for (let at = 0; at < data.length; at += 8192) text += String.fromCharCode(...data.subarray(at, at + 8192));
    return { width, height, data: btoa(text) };
  }, `data:image/png;base64,${picture.toString("base64")}`);
  await page.close();
  const bytes = Uint8Array.from(Buffer.from(data, "base64"));
  return { width, height, pixels: Array.from(new Uint32Array(bytes.buffer)) };
}

/** How many colours a picture has. */
export async function colours(browser, picture) {
  return new Set((await read(browser, picture)).pixels).size;
}
