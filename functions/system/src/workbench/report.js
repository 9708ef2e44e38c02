import { element } from "./elements.js";

/** Milliseconds for which it stays seen what was done. */
const SEEN = 8000;

/** What the page says about itself: what it does, and what went wrong. */
export class Report {
  #status = document.getElementById("status");
  #alert = document.getElementById("error");
  #timer;
  #busy = false;

  /**
   * Tells what was done, politely: a screen reader finishes its sentence first.
   *
   * @param {string} message
   * @param {boolean} [lasts] whether it goes on, and the message stays
   */
  say(message, lasts = false) {
    clearTimeout(this.#timer);
    this.#status.textContent = message;
    if (!lasts) this.#timer = setTimeout(() => this.#status.replaceChildren(), SEEN);
  }

  /** Shows an error with all that the API told about it. */
  fail(error) {
    const lines = (error.details ?? []).map(({ path, message }) => element("li", {}, element("code", {}, path), ` ${message}`));
    this.#alert.replaceChildren(
      element(
        "div",
        { class: "failure" },
        element("p", {}, element("strong", {}, error.message), " ", element("code", {}, error.code ?? error.name)),
        lines.length > 0 ? element("ul", {}, ...lines) : null,
        error.requestId ? element("p", { class: "hint" }, "Request ", element("code", {}, error.requestId)) : null,
        element("button", { type: "button", click: () => this.clear() }, "Dismiss"),
      ),
    );
    this.say("");
  }

  clear() {
    this.#alert.replaceChildren();
  }

  /**
   * Does something for a button, one thing at a time on the whole page, and shows what goes wrong. The button keeps the
   * focus meanwhile, as one that is disabled would not.
   *
   * @param {HTMLElement} button
   * @param {string} message what is being done
   * @param {() => Promise<string>} work resolves to what was done
   */
  async during(button, message, work) {
    if (this.#busy) return;
    this.#busy = true;
    button.setAttribute("aria-disabled", "true");
    this.clear();
    this.say(message, true);
    try {
      this.say(await work());
    } catch (error) {
      this.fail(error);
    } finally {
      button.removeAttribute("aria-disabled");
      this.#busy = false;
    }
  }
}
