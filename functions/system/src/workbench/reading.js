import { element, facts, points, title, unseen, words } from "./elements.js";
import { jump, light, markedText } from "./marks.js";

const SEVERITIES = ["high", "medium", "low", "info"];
/** Code points of a quote that a label shows. */
const QUOTE = 60;
const ID = "reading-title";

/**
 * Shows a prompt with its findings and its demands marked.
 *
 * @param {HTMLElement} section
 * @param {object} reading
 * @param {string} reading.heading
 * @param {string} reading.prompt
 * @param {object|null} reading.analysis without one, only demands are shown
 * @param {{checks: object[], coverage: object}|null} reading.demands null where they could not be read
 * @param {(Node|null)[]} [reading.more] what else there is to it
 */
export function showReading(section, { heading, prompt, analysis, demands, more = [] }) {
  // By severity where several begin at one place; numbers are those of the list, which is in the text's order.
  const findings = analysis?.findings ?? [];
  const rank = ({ severity }) => SEVERITIES.indexOf(severity);
  const checks = demands?.checks ?? analysis?.constraints ?? [];
  const places = [
    ...findings
      .map((finding, index) => ({
        ...finding,
        look: `finding ${finding.severity}`,
        label: String(index + 1),
        describedBy: `about-${finding.id}`,
        activate: () => light([document.getElementById(`finding-${finding.id}`)]),
      }))
      .sort((one, other) => rank(one) - rank(other)),
    ...checks.map(({ id, start, end }) => ({ id, start, end, look: "demand" })),
  ];
  const text = markedText(prompt, places);
  section.replaceChildren(
    title(ID, heading),
    ...[
      analysis ? score(analysis) : null,
      text,
      labels(checks, text),
      findings.length > 0 ? findingList(findings, text) : null,
      analysis && findings.length === 0 ? element("p", {}, "Nothing in it needs work, as far as the rules tell.") : null,
      demands ? coverage(demands.coverage) : null,
      ...more,
    ].filter(Boolean),
  );
  section.hidden = false;
}

function score({ overallScore, rating, summary, metrics }) {
  const bars = Object.entries(metrics).map(([name, metric]) => {
    const bar = element("span", { class: "bar", "aria-hidden": "true" });
    // A style attribute would need a policy that allows any.
    bar.style.setProperty("--score", `${metric.score}%`);
    return element("li", {}, element("span", {}, words(name)), bar, element("span", {}, String(metric.score)));
  });
  return element(
    "div",
    { class: "score" },
    element("p", { class: "number" }, unseen("Score "), String(overallScore), element("small", {}, ` of 100, ${rating}`)),
    element("p", {}, summary),
    element("details", {}, element("summary", {}, "The score's parts"), element("ul", { class: "bars" }, ...bars)),
  );
}

/** What the prompt demands of its answers, as labels that lead to their place. */
function labels(checks, text) {
  if (checks.length === 0) return null;
  const items = checks.map((check) => {
    const go = (event) => {
      event.preventDefault();
      jump(text, check.id);
    };
    const undecidable = check.executable === false ? element("small", {}, " (no program can tell)") : null;
    const shown = check.description ?? `${words(check.kind)}: ${check.quote}`;
    return element("li", {}, element("a", { class: "label", href: `#${ID}`, "data-check": check.id, click: go }, shown, undecidable));
  });
  return element("div", {}, element("h3", {}, "What it demands of its answers"), element("ul", { class: "labels" }, ...items));
}

function findingList(findings, text) {
  const items = findings.map((finding, index) => {
    const go = () => jump(text, finding.id);
    const quote = shortened(finding.quote) || "Missing";
    return element(
      "li",
      { id: `finding-${finding.id}`, tabindex: "-1", class: finding.severity },
      element(
        "p",
        { class: "heading" },
        element("button", { type: "button", class: "plain place", click: go }, `${index + 1}. ${quote}`, unseen(", show in the text")),
        element("span", { class: `tag ${finding.severity}` }, finding.severity),
      ),
      element("div", { id: `about-${finding.id}` }, element("p", {}, finding.message), element("p", { class: "hint" }, finding.suggestion)),
    );
  });
  const heading = findings.length === 1 ? "1 finding" : `${findings.length} findings`;
  return element("div", {}, element("h3", {}, heading), element("ol", { class: "findings" }, ...items));
}

/** The beginning of a quote, for a label. */
function shortened(quote) {
  const points = Array.from(quote);
  return points.length > QUOTE ? `${points.slice(0, QUOTE).join("")}\u2026` : quote;
}

function coverage({ demands, covered, uncovered }) {
  if (demands === 0) return null;
  const summary = element("summary", {}, `${covered} of ${demands} demands can be checked`);
  if (uncovered.length === 0) return element("p", { class: "hint" }, summary.textContent);
  return element("details", {}, summary, points("For a person or a model to judge", uncovered.map(({ quote }) => quote)));
}

/**
 * What a written prompt has beside its text.
 *
 * @param {object} generated
 */
export function aboutGenerated(generated) {
  return [
    facts([
      ["System prompt", generated.systemPrompt],
      ["Not to be shown", generated.negativePrompt],
      ...Object.entries(generated.parameters),
    ]),
    points("Assumed", generated.assumptions),
    points("Answers to these would make it better", generated.clarifyingQuestions),
  ];
}
