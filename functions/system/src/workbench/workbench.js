// The workbench: what its controls do. It uses the public API alone, as every client may.

import { Api } from "./api.js";
import { copyButton, element } from "./elements.js";
import { showVerdicts } from "./judge.js";
import { showRecovered } from "./picture.js";
import { aboutGenerated, showReading } from "./reading.js";
import { Report } from "./report.js";
import { showVersions } from "./versions.js";

const EXAMPLE =
  "Write about our new green tea for the shop page. Be brief. Explain everything in great depth. Our notes: {{notes}}\n\n" +
  "At most 40 words. Do not use the word \"luxury\". Mention the word \"garden\". Be friendly.";

const at = (id) => document.getElementById(id);
const api = new Api(document.querySelector('meta[name="api-key"]').content);
const report = new Report();
const say = (message) => report.say(message);
const text = at("text");

/** Shows a result, and leads there whoever has asked for it. */
function arriveAt(id) {
  at("empty").hidden = true;
  at(id).focus();
}

/** Takes a prompt as the one to work on. */
function take(prompt) {
  text.value = prompt;
  text.focus();
  text.setSelectionRange(0, 0);
  text.scrollTop = 0;
  say("It is in the field now.");
}

/**
 * What a prompt demands. Nothing is lost without it: a key may lack the scope, and the analysis has most of it.
 *
 * @param {string} prompt
 */
async function demandsOf(prompt) {
  return api.post("/prompts/checks", { prompt }).catch(() => null);
}

/** What an answer can be held against; the text in the field is read when it is. */
let judgeable = [];

function offer(prompts) {
  judgeable = [...prompts, { name: "The text in the field", get prompt() { return text.value; } }];
  at("against").replaceChildren(...judgeable.map(({ name }, index) => element("option", { value: index }, name)));
  at("verdicts").replaceChildren();
}

/** Whether there is something to send; asks for it otherwise, so that nobody waits for an error. */
function isFilled(field, missing) {
  if (field.value.trim() !== "") return true;
  say(missing);
  field.focus();
  return false;
}

async function generate() {
  const generated = await api.operate("/prompts/generate", { message: text.value, targetModel: at("model").value });
  const { prompt, title } = generated;
  const demands = await demandsOf(prompt);
  const actions = element(
    "div",
    { class: "actions" },
    copyButton(prompt, say),
    element("button", { type: "button", click: () => take(prompt) }, "Go on with it"),
  );
  showReading(at("reading"), { heading: title, prompt, analysis: null, demands, more: [actions, ...aboutGenerated(generated)] });
  at("versions").hidden = true;
  offer([{ name: "The prompt that was written", prompt }]);
  arriveAt("reading-title");
  return "The prompt is written.";
}

async function improve() {
  const prompt = text.value;
  const request = { prompt, targetModel: at("model").value, variationCount: 2 };
  const [improved, demands] = await Promise.all([api.operate("/prompts/analyze-and-optimize", request), demandsOf(prompt)]);
  const { analysis, versions } = improved;
  showReading(at("reading"), { heading: "Your prompt, read closely", prompt, analysis, demands });
  showVersions(at("versions"), prompt, versions, say, take);
  const offered = versions.map((version) => ({ name: `The ${version.label} version`, prompt: version.prompt }));
  offer([{ name: "Your prompt", prompt }, ...offered]);
  arriveAt("reading-title");
  return `${analysis.findings.length} findings, ${versions.length} better versions.`;
}

async function judge() {
  const answer = at("answer").value;
  const { prompt } = judgeable[Number(at("against").value)];
  const run = await api.post("/prompts/checks/run", { prompt, outputs: [answer] });
  const said = showVerdicts(at("verdicts"), answer, run);
  arriveAt("verdicts-title");
  return said;
}

async function recover() {
  const [file] = at("picture").files;
  const uploadId = await api.upload(file, "reverse_image");
  const recovered = await api.operate("/reverse-prompts", { type: "image", uploadId, targetModel: at("model").value });
  showRecovered(at("recovered"), file, recovered, say, take);
  arriveAt("recovered-title");
  return "The prompt behind the picture is here.";
}

/** The models, by what they make. */
async function fillModels() {
  const { items, default: chosen } = await api.read("/models");
  const groups = Map.groupBy ? Map.groupBy(items, ({ kind }) => kind) : new Map([["all", items]]);
  at("model").replaceChildren(
    ...[...groups].map(([kind, models]) =>
      element("optgroup", { label: kind }, ...models.map(({ name }) => element("option", { selected: name === chosen }, name))),
    ),
  );
}

/** Says who does the work. */
async function nameEngine() {
  const { engine } = await api.read("/capabilities");
  at("engine").textContent = `Engine: ${engine.model ? `${engine.name}, ${engine.model}` : engine.name}`;
}

/** Asks for a key where the page has come without one. */
async function begin() {
  at("key-form").hidden = api.hasKey;
  at("change-key").hidden = !api.hasKey;
  if (!api.hasKey) return;
  try {
    await Promise.all([fillModels(), nameEngine()]);
  } catch (error) {
    report.fail(error);
    at("key-form").hidden = error.status !== 401;
  }
}

at("improve").addEventListener("click", (event) => {
  if (isFilled(text, "Write a prompt first.")) report.during(event.currentTarget, "Reading the prompt closely\u2026", improve);
});
at("generate").addEventListener("click", (event) => {
  if (isFilled(text, "Write a goal first.")) report.during(event.currentTarget, "Writing the prompt\u2026", generate);
});
at("run").addEventListener("click", (event) => {
  const { prompt } = judgeable[Number(at("against").value)];
  if (prompt.trim() === "") return void isFilled(text, "Write the prompt first that it answers.");
  if (isFilled(at("answer"), "Paste an answer first.")) report.during(event.currentTarget, "Judging the answer\u2026", judge);
});
at("picture").addEventListener("change", (event) => {
  if (event.target.files.length === 0) return;
  // The same file can be chosen again.
  const clear = () => (event.target.value = "");
  report.during(event.target, "Looking for the prompt of the picture\u2026", recover).finally(clear);
});
at("example").addEventListener("click", () => take(EXAMPLE));
at("change-key").addEventListener("click", () => {
  at("key-form").hidden = false;
  at("key").focus();
});
at("key-form").addEventListener("submit", (event) => {
  event.preventDefault();
  api.key = at("key").value.trim();
  at("key").value = "";
  report.clear();
  begin().then(() => text.focus());
});
for (const form of ["write-form", "picture-form", "judge-form"]) {
  at(form).addEventListener("submit", (event) => event.preventDefault());
}
offer([]);
begin();
