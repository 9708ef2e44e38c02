import { element, title, unseen } from "./elements.js";
import { jump, light, markedText } from "./marks.js";

const OUTCOMES = {
  failed: { sign: "\u2717", word: "Failed" },
  passed: { sign: "\u2713", word: "Passed" },
  undecided: { sign: "?", word: "Undecided" },
};
const REASONS = {
  not_executable: "No program can decide this; a person or a model has to.",
  too_short: "The answer is too short to tell.",
  unclear: "The prompt does not say plainly enough what it wants.",
  unmarked: "The part that is meant is not marked in the answer.",
  too_large: "The answer is too long for the schema of the prompt.",
};
const BOUNDS = { "\u2264": "at most", "\u2265": "at least" };

/**
 * Shows what became of an answer.
 *
 * @param {HTMLElement} box
 * @param {string} answer
 * @param {object} run the data of `POST /prompts/checks/run` for that answer alone
 * @returns {string} the outcome in a sentence
 */
export function showVerdicts(box, answer, { checks, outputs: [{ verdicts, tally }] }) {
  const said = checks.length === 0 ? "The prompt demands nothing that can be checked." : inWords(tally);
  const judged = verdicts.map((verdict, index) => ({ ...verdict, check: checks[index].check }));
  // What failed comes first: it is why people look.
  const order = Object.keys(OUTCOMES);
  judged.sort((one, other) => order.indexOf(one.verdict) - order.indexOf(other.verdict));
  const places = judged.filter(hasPlace).map(({ checkId, verdict, evidence, check }) => ({
    id: `evidence-${checkId}`,
    start: evidence.start,
    end: evidence.end,
    look: `evidence ${verdict}`,
    describedBy: `about-verdict-${check.id}`,
    activate: () => light([document.getElementById(`verdict-${check.id}`)]),
  }));
  const text = markedText(answer, places);
  box.replaceChildren(
    title("verdicts-title", said),
    element("ul", { class: "verdicts" }, ...judged.map((verdict) => row(verdict, text))),
    ...(places.length > 0 ? [element("h3", {}, "Where it shows"), text] : []),
  );
  return said;
}

function inWords({ passed, failed, undecided }) {
  const open = undecided > 0 ? `, ${undecided} undecided` : "";
  return `${failed} failed, ${passed} passed${open}`;
}

function hasPlace({ evidence }) {
  return Number.isInteger(evidence?.start) && Number.isInteger(evidence?.end);
}

function row({ checkId, verdict, evidence, reason, check }, text) {
  const { sign, word } = OUTCOMES[verdict] ?? OUTCOMES.undecided;
  const because = reason ? (REASONS[reason] ?? reason) : found(evidence);
  const go = () => jump(text, `evidence-${checkId}`);
  return element(
    "li",
    { id: `verdict-${checkId}`, tabindex: "-1", class: verdict },
    element("span", { class: `verdict ${verdict}` }, element("span", { "aria-hidden": "true" }, `${sign} `), word),
    element(
      "div",
      { id: `about-verdict-${checkId}` },
      element("p", {}, check.description),
      because ? element("p", { class: "hint" }, because) : null,
    ),
    hasPlace({ evidence })
      ? element("button", { type: "button", class: "plain", click: go }, "Show", unseen(`: ${check.description}`))
      : null,
  );
}

/** What a verdict rests on: what was counted and what is wanted, or the words that were looked for. */
function found(evidence) {
  if (!evidence) return "";
  const wanted = evidence.wanted.replace(/^[\u2264\u2265](?=\s*\d)/u, (sign) => BOUNDS[sign]);
  const seen = evidence.found ?? evidence.quote;
  if (seen === null) return `Wanted: ${wanted}`;
  return seen === evidence.wanted ? `Found \u201c${seen}\u201d` : `Found ${seen}, wanted ${wanted}`;
}
