import { element, unseen } from "./elements.js";

/**
 * A place in a text. Offsets are code points, as in the API; JavaScript's own are UTF-16 units.
 *
 * @typedef {object} Place
 * @property {string} id
 * @property {number} start
 * @property {number} end equal to `start` for what is missing
 * @property {string} look classes of its mark
 * @property {string} [label] what is seen behind it, such as its number in a list
 * @property {string} [describedBy] identifier of the element that says what is there
 * @property {() => void} [activate] makes it a button
 */

/**
 * Cuts a text wherever a place begins or ends: places may overlap, and elements may not.
 *
 * @param {string} text
 * @param {Place[]} places
 * @returns {{text: string, start: number, places: Place[]}[]}
 */
export function pieces(text, places) {
  const points = Array.from(text);
  const within = (offset) => Math.min(Math.max(offset, 0), points.length);
  const cuts = new Set([0, points.length]);
  for (const { start, end } of places) cuts.add(within(start)).add(within(end));
  const sorted = [...cuts].sort((one, other) => one - other);
  const found = [];
  sorted.forEach((start, index) => {
    for (const place of places) {
      if (within(place.start) === start && within(place.end) === start) found.push({ text: "", start, places: [place] });
    }
    const end = sorted[index + 1];
    if (end === undefined) return;
    const covering = places.filter((place) => place.start <= start && end <= place.end && place.start < place.end);
    found.push({ text: points.slice(start, end).join(""), start, places: covering });
  });
  return found.filter(({ text, places }) => text !== "" || places.length > 0);
}

/**
 * A text with its places marked.
 *
 * @param {string} text
 * @param {Place[]} places those that matter most come first: where several begin, the first is the button
 */
export function markedText(text, places) {
  const box = element("div", { class: "text" });
  for (const piece of pieces(text, places)) {
    box.append(piece.places.length > 0 ? markOf(piece) : piece.text);
  }
  return box;
}

function markOf({ text, start, places }) {
  const button = places.find((place) => place.activate && place.start === start);
  const properties = {
    class: places.map(({ look }) => look).join(" "),
    "data-places": places.map(({ id }) => id).join(" "),
    tabindex: button ? "0" : "-1",
  };
  if (button) {
    const described = places.filter((place) => place.start === start && place.describedBy);
    Object.assign(properties, {
      role: "button",
      "aria-describedby": described.map(({ describedBy }) => describedBy).join(" "),
      click: button.activate,
      keydown: (event) => {
        if (event.key !== "Enter" && event.key !== " ") return;
        event.preventDefault();
        button.activate();
      },
    });
  }
  const shown = text === "" ? [unseen("missing here"), "\u2038"] : [text];
  const label = button?.label ? element("sup", {}, button.label) : null;
  return element("mark", properties, ...shown, label);
}

/**
 * Goes to a place of a marked text, and lights all of it.
 *
 * @param {ParentNode} box
 * @param {string} id
 */
export function jump(box, id) {
  const marks = box.querySelectorAll(`[data-places~="${CSS.escape(id)}"]`);
  if (marks.length > 0) light(marks);
}

/**
 * Gives the focus to the first of some elements, and lights all of them alone.
 *
 * @param {Iterable<HTMLElement>} elements
 */
export function light(elements) {
  for (const lit of document.querySelectorAll(".lit")) lit.classList.remove("lit");
  const [first, ...others] = elements;
  for (const each of [first, ...others]) each.classList.add("lit");
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "nearest" });
}
