import { differences } from "./differences.js";
import { copyButton, element, facts, points, title, words } from "./elements.js";

/**
 * Shows better versions of a prompt, each on a tab of its own.
 *
 * @param {HTMLElement} section
 * @param {string} original
 * @param {object[]} versions
 * @param {(message: string) => void} say
 * @param {(prompt: string) => void} take puts a version in the place of the prompt
 */
export function showVersions(section, original, versions, say, take) {
  section.replaceChildren(title("versions-title", versions.length === 1 ? "A better version" : "Better versions"));
  section.hidden = versions.length === 0;
  if (versions.length === 1) {
    section.append(panel(original, versions[0], say, take));
    return;
  }
  const panels = versions.map((version, index) => {
    const body = panel(original, version, say, take);
    for (const [name, value] of Object.entries({ id: `version-${index}`, role: "tabpanel", "aria-labelledby": `tab-${index}` })) {
      body.setAttribute(name, value);
    }
    return body;
  });
  section.append(tabs(versions, panels), ...panels);
}

/** Tabs as the ARIA practices have them: arrows go from one to the next, and Tab goes into the panel. */
function tabs(versions, panels) {
  const buttons = versions.map(({ label }, index) =>
    element(
      "button",
      { type: "button", role: "tab", id: `tab-${index}`, "aria-controls": `version-${index}`, click: () => select(index) },
      words(label),
    ),
  );
  function select(chosen) {
    buttons.forEach((button, index) => {
      button.setAttribute("aria-selected", String(index === chosen));
      button.tabIndex = index === chosen ? 0 : -1;
      panels[index].hidden = index !== chosen;
    });
  }
  const steps = { ArrowRight: 1, ArrowLeft: -1 };
  const move = (event) => {
    const at = buttons.indexOf(document.activeElement);
    const ends = { Home: 0, End: buttons.length - 1 };
    const next = event.key in ends ? ends[event.key] : (at + steps[event.key] + buttons.length) % buttons.length;
    if (Number.isNaN(next)) return;
    event.preventDefault();
    select(next);
    buttons[next].focus();
  };
  select(0);
  return element("div", { role: "tablist", "aria-label": "Versions", keydown: move }, ...buttons);
}

function panel(original, version, say, take) {
  const changed = differences(original, version.changes);
  const choice = element("input", { type: "checkbox", checked: true });
  choice.addEventListener("change", () => changed.classList.toggle("result", !choice.checked));
  return element(
    "div",
    { class: "version" },
    element("p", {}, version.rationale),
    element("label", { class: "choice" }, choice, "Show what has changed"),
    changed,
    element(
      "div",
      { class: "actions" },
      copyButton(version.prompt, say, `${version.label} version`),
      element("button", { type: "button", click: () => take(version.prompt) }, "Go on with it"),
    ),
    facts([
      ["Score", `${version.scoreBefore} before, ${version.scoreAfter} after`],
      ["Demands", demands(version.integrity.constraints)],
      ["Tokens", version.tokenEstimate.input],
      ["Good for", version.bestFor],
      ["System prompt", version.systemPrompt],
      ["Not to be shown", version.negativePrompt],
      ...Object.entries(version.parameters),
    ]),
    points("Why", [...new Set(version.changes.map(({ reason }) => reason))]),
  );
}

/** What became of the demands: how many were kept, and each that was not, by its fate. */
function demands({ kept, ...others }) {
  const parts = Object.entries(others).flatMap(([fate, constraints]) =>
    constraints.map(({ quote }) => `\u201c${quote}\u201d ${fate}`),
  );
  return kept.length + parts.length > 0 ? [`${kept.length} kept`, ...parts].join(", ") : null;
}
