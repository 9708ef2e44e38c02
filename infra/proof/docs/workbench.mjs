// Works with the workbench in headless Chromium as people do: with a mouse, by keyboard alone, on a phone, in the dark.
//
// workbench.mjs <address of the page> <folder for screenshots>

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

import { colours, expect, launch, read, watch } from "./browser.mjs";
import { indexed, pictureWith } from "./png.mjs";

const [address, folder] = process.argv.slice(2);
const origin = new URL(address).origin;
mkdirSync(folder, { recursive: true });
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const GOAL = "Write a cold email that offers our payroll software to dental clinics. Answer in English.";
// The cup is two UTF-16 units and one code point: what stands behind it shows which of them are counted.
const PROMPT =
  "Write about our new green tea \u{1F375} for the shop page. Rank its blends on a scale. Be brief. Explain everything in great depth. Use the notes in {{notes}.\n\n" +
  'At most 20 words. Do not use the word "luxury". Mention the word "garden".';
const ANSWER = "Pure luxury from one garden, rolled by hand, in a cup that stays with you all day.";
const RECOVERED = "a lighthouse at dusk, oil painting";

/** As AUTOMATIC1111 writes it. */
const PARAMETERS = `${RECOVERED}\nNegative prompt: blurry\nSteps: 20, Sampler: Euler a, CFG scale: 7, Seed: 1, Size: 64x64`;

/** What axe finds on the page as it is. */
async function violations(page) {
  // By the protocol of the tools, which the policy of the page does not forbid.
  await page.evaluate(axe);
  const found = await page.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, { rules: { "target-size": { enabled: true } } });
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(" ")).join(", ")}`);
  });
  return found;
}

async function expectNoViolations(page, where) {
  const found = await violations(page);
  expect(`axe finds nothing ${where}`, found.length === 0, found.join("; "));
}

/** What is lit, and whether it has the focus. */
async function lit(page) {
  return page.evaluate(() => {
    const marks = [...document.querySelectorAll("mark.lit")];
    const text = marks.map((mark) => mark.firstChild.textContent).join("");
    return marks.includes(document.activeElement) ? text : `no focus on: ${text}`;
  });
}

/** What an answer of the API has that a step of the page asks for. */
async function answerTo(page, path, step) {
  const [answer] = await Promise.all([page.waitForResponse((each) => each.url().endsWith(`/v1${path}`)), step()]);
  return (await answer.json()).data;
}

/** Improves what is in the field, and judges an answer to it. */
async function improveAndJudge(page) {
  await page.locator("#verdicts").evaluate((box) => box.replaceChildren());
  await page.locator("#improve").click();
  await page.locator("#status", { hasText: "better versions" }).waitFor();
  await page.locator("#answer").fill(ANSWER);
  await answerTo(page, "/prompts/checks/run", () => page.locator("#run").click());
  await page.locator("#verdicts li").first().waitFor();
}

/** Writes what is seen of the page, in few bytes: it stands in the documents. */
async function photograph(page, name) {
  // What was done is told for a while.
  await page.locator("#status:empty").waitFor({ state: "attached" });
  const image = indexed(await read(page.context().browser(), await page.screenshot()));
  writeFileSync(join(folder, name), image);
  const seen = await colours(page.context().browser(), image);
  expect(`${name} shows something: ${seen} colours, ${image.length} bytes`, seen > 100 && image.length < 200_000, "blank, or large");
}

/** Presses Tab until an element has the focus. */
async function tabTo(page, selector, most = 40) {
  for (let presses = 0; presses < most; presses++) {
    if (await page.evaluate((each) => document.activeElement?.matches(each), selector)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab does not lead to ${selector}`);
}

const browser = await launch();
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, colorScheme: "light" });
  const { complaints, strangers } = watch(page, [origin]);
  await page.goto(address);
  await page.locator("#model optgroup").first().waitFor({ state: "attached" });
  expect("the printed address opens the workbench with the key", await page.locator("#key-form").isHidden(), "it asks for one");
  await expectNoViolations(page, "on the empty page");

  // A goal, by keyboard alone.
  await tabTo(page, "#text");
  await page.keyboard.type(GOAL);
  await tabTo(page, "#generate");
  const { checks } = await answerTo(page, "/prompts/checks", () => page.keyboard.press("Enter"));
  await page.locator("#reading .text").waitFor();
  const written = await page.locator("#reading").innerText();
  expect("a goal becomes a prompt by keyboard alone", written.includes("dental clinics"), written);
  const focused = await page.evaluate(() => document.activeElement?.id);
  expect("the focus is on the result", focused === "reading-title", focused);
  await tabTo(page, "#reading a.label");
  await page.keyboard.press("Enter");
  const demanded = await lit(page);
  expect(`a label leads to its place by keyboard: ${checks[0].quote}`, demanded === checks[0].quote, demanded);

  // A prompt.
  await page.locator("#text").fill(PROMPT);
  const improved = await answerTo(page, "/prompts/analyze-and-optimize", () => page.locator("#improve").click());
  await page.locator("#versions .differences").first().waitFor();
  const { findings } = improved.analysis;
  expect(`${findings.length} findings`, findings.length >= 3, JSON.stringify(findings));
  for (const { id, start, end, quote } of findings) {
    const marked = await page.evaluate((id) => {
      const of = (node) => (node.matches?.("sup, .unseen") ? "" : node.childNodes.length > 0 ? [...node.childNodes].map(of).join("") : node.textContent);
      const box = document.querySelector("#reading .text");
      const marks = [...box.querySelectorAll(`[data-places~="${id}"]`)];
      let before = "";
      for (const node of box.childNodes) {
        if (node === marks[0]) break;
        before += node.nodeType === Node.TEXT_NODE ? node.data : of(node);
      }
      return { start: Array.from(before).length, text: marks.map(of).join("") };
    }, id);
    const isThere = marked.start === start && marked.text === quote && Array.from(quote).length === end - start;
    expect(`${id} is marked where it is: ${quote}`, isThere, JSON.stringify(marked));
  }
  const [first] = findings;
  await page.locator(`#reading mark[data-places~="${first.id}"]`).first().click();
  const inList = await page.evaluate(() => document.activeElement?.id);
  expect("a mark leads to its finding", inList === `finding-${first.id}`, inList);
  await page.locator(`#finding-${first.id} button`).click();
  const back = await lit(page);
  expect("and the finding leads back", back === first.quote, back);
  await page.locator("#reading a.label").first().click();
  const place = await lit(page);
  expect("a label leads to its place, behind a sign of two units", place.toLowerCase().includes("at most 20 words"), place);

  const panel = page.locator("#versions .version:visible");
  const shown = await panel.locator(".differences").evaluate((box) => {
    const of = (node) =>
      node.matches?.("del, .unseen") ? "" : node.childNodes.length > 0 ? [...node.childNodes].map(of).join("") : node.textContent;
    return of(box);
  });
  expect("what is not removed is the new version", shown === improved.versions[0].prompt, shown);
  expect("additions and removals are shown", (await panel.locator("ins").count()) > 0 && (await panel.locator("del").count()) > 0, shown);
  if (improved.versions.length > 1) {
    await page.locator("#tab-0").focus();
    await page.keyboard.press("ArrowRight");
    expect("an arrow leads to the next version", await page.locator("#version-1").isVisible(), "it is hidden");
    await page.keyboard.press("ArrowLeft");
  }

  // An answer.
  await page.locator("#answer").fill(`\u{1F375} ${ANSWER}`);
  await page.locator("#run").click();
  await page.locator("#verdicts li").first().waitFor();
  const verdicts = await page.locator("#verdicts li").allInnerTexts();
  const of = (word) => verdicts.filter((verdict) => verdict.includes(word));
  expect("a demand is failed, with its evidence", of("Failed").join().includes("Found \u201cluxury\u201d"), verdicts.join("; "));
  expect("a demand is passed, with its evidence", of("Passed").join().includes("Found 17, wanted at most 20"), verdicts.join("; "));
  const spot = page.locator("#verdicts mark.failed");
  expect("the evidence is marked in the answer", (await spot.allInnerTexts()).join() === "luxury", (await spot.allInnerTexts()).join());
  await page.locator("#verdicts li.failed button").first().click();
  expect("a verdict leads to its evidence", (await lit(page)) === "luxury", await lit(page));
  await page.locator("#example").click();
  await improveAndJudge(page);
  await expectNoViolations(page, "on a desk, in light");
  await page.setViewportSize({ width: 1280, height: 1780 });
  await page.locator("#reading a.label").first().click();
  await page.evaluate(() => scrollTo(0, 0));
  await photograph(page, "workbench.png");
  await page.setViewportSize({ width: 1280, height: 900 });

  // A picture. Its file goes to the storage, which has another port.
  const sent = page.waitForRequest((request) => request.method() === "PUT");
  await page.locator("#picture").setInputFiles({ name: "lighthouse.png", mimeType: "image/png", buffer: pictureWith("parameters", PARAMETERS) });
  const storage = new URL((await sent).url()).origin;
  await page.locator("#recovered .text").waitFor();
  const recovered = await page.locator("#recovered .text").innerText();
  expect("a picture gives its prompt back", recovered === RECOVERED, recovered);
  expect("the storage gets no key", !("authorization" in (await (await sent).allHeaders())), "it does");
  await expectNoViolations(page, "with a picture");

  // An error.
  await page.locator("#text").fill("x".repeat(6001));
  await page.locator("#generate").click();
  await page.locator(".failure").waitFor();
  const failure = await page.locator("[role=alert]").innerText();
  expect("an error has its code, place and request", /invalid_request[^]*\/message[^]*req_/.test(failure), failure);
  await expectNoViolations(page, "with an error");
  await page.locator(".failure button").click();
  const others = strangers.filter((url) => new URL(url).origin !== storage);
  expect("nothing was asked of another host", others.length === 0, others.join(" "));
  const real = complaints.filter((complaint) => !complaint.includes("status of 400"));
  expect("the console has no errors", real.length === 0, real.join("; "));

  // In the dark, on a phone.
  await page.locator("#example").click();
  await improveAndJudge(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectNoViolations(page, "on a desk, in the dark");
  await page.setViewportSize({ width: 390, height: 844 });
  await expectNoViolations(page, "on a phone, in the dark");
  const wide = await page.evaluate(() => document.documentElement.scrollWidth);
  expect("nothing is wider than the phone", wide <= 390, `${wide} pixels`);
  await page.locator("#reading a.label").first().click();
  await page.mouse.move(0, 0);
  await page.locator("#reading-title").evaluate((title) => title.scrollIntoView({ block: "start" }));
  await page.evaluate(() => scrollBy(0, -28));
  await photograph(page, "workbench-dark-phone.png");
  await page.emulateMedia({ colorScheme: "light" });
  await expectNoViolations(page, "on a phone, in light");

  // Somebody else, who has to bring a key.
  const stranger = await (await browser.newContext()).newPage();
  await stranger.goto(address);
  await stranger.locator("#key-form").waitFor();
  expect("a second browser gets no key and is asked for one", !(await stranger.content()).includes("pwk_"), "it has one");
  await expectNoViolations(stranger, "where a key is asked for");
  const key = await page.evaluate(() => document.querySelector('meta[name="api-key"]').content);
  await stranger.locator("#key").fill(key);
  await stranger.keyboard.press("Enter");
  await stranger.locator("#model optgroup").first().waitFor({ state: "attached" });
  const kept = await stranger.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length].join());
  expect("a key that is typed in works, and is kept nowhere", kept === ",0,0", kept);
} finally {
  await browser.close();
}
