/**
 * Makes an element. Its children become text or nodes, never markup: most texts come from the API, and some of those
 * from strangers.
 *
 * @param {string} tag
 * @param {Object<string, unknown>} [properties] attributes; a function is a listener, and null or false is left out
 * @param {...(Node|string|null)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false) made.setAttribute(name, String(value));
  }
  made.append(...children.filter((child) => child !== null));
  return made;
}

/** A text for screen readers alone. */
export function unseen(text) {
  return element("span", { class: "unseen" }, text);
}

/**
 * A heading that can be given the focus, so that a result is read from its beginning.
 *
 * @param {string} id
 * @param {string} text
 */
export function title(id, text) {
  return element("h2", { id, tabindex: "-1" }, text);
}

/** Terms and what they are; those without a value are left out. */
export function facts(entries) {
  const list = element("dl", { class: "facts" });
  for (const [term, value] of entries) {
    if (value === null || value === undefined || value === "") continue;
    const shown = typeof value === "object" && !(value instanceof Node) ? JSON.stringify(value) : value;
    list.append(element("div", {}, element("dt", {}, term), element("dd", {}, shown instanceof Node ? shown : String(shown))));
  }
  return list.childElementCount > 0 ? list : null;
}

/** A heading with its points, or nothing where there are none. */
export function points(heading, texts) {
  if (!texts || texts.length === 0) return null;
  const items = texts.map((text) => element("li", {}, text));
  return element("div", {}, element("h3", {}, heading), element("ul", {}, ...items));
}

/** `name_like_this` as words. */
export function words(name) {
  const spaced = name.replaceAll("_", " ").replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return spaced.charAt(0).toUpperCase() + spaced.slice(1);
}

/**
 * A button that copies a text.
 *
 * @param {string} text
 * @param {(message: string) => void} say
 * @param {string} [what] which text, for who cannot see what stands beside it
 */
export function copyButton(text, say, what = "prompt") {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      say(`The ${what} is copied.`);
    } catch {
      // Browsers give the clipboard to pages over HTTPS and on this machine only.
      say("This page may not use the clipboard: select the text and copy it.");
    }
  };
  return element("button", { type: "button", click: copy }, "Copy", unseen(` the ${what}`));
}
