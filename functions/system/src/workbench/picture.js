import { copyButton, element, facts, points, title } from "./elements.js";

const RECOVERIES = {
  exact: "Word for word, as the file has it",
  inferred: "As a model sees the picture",
  statistical: "From colours, light and composition; what the picture shows is not recognised",
};

/**
 * Shows the prompt behind a picture.
 *
 * @param {HTMLElement} section
 * @param {File} file
 * @param {object} recovered
 * @param {(message: string) => void} say
 * @param {(prompt: string) => void} take puts it in the place of the prompt
 */
export function showRecovered(section, file, recovered, say, take) {
  const address = URL.createObjectURL(file);
  const picture = element("img", { src: address, alt: recovered.description, load: () => URL.revokeObjectURL(address) });
  const { provenance, prompt } = recovered;
  section.replaceChildren(
    title("recovered-title", "The prompt behind the picture"),
    element("div", { class: "beside" }, picture, element("div", { class: "text" }, prompt)),
    element(
      "div",
      { class: "actions" },
      copyButton(prompt, say, "recovered prompt"),
      element("button", { type: "button", click: () => take(prompt) }, "Go on with it"),
    ),
    ...[
      facts([
        ["How", RECOVERIES[recovered.recovery] ?? recovered.recovery],
        ["Found in", provenance ? `${provenance.field} of the ${provenance.container} file, written by ${provenance.tool}` : null],
        ["Confidence", `${Math.round(recovered.confidence * 100)} %`],
        ["Not to be shown", recovered.negativePrompt],
        ...Object.entries(recovered.parameters),
      ]),
      points("What it cannot know", recovered.limitations),
    ].filter(Boolean),
  );
  section.hidden = false;
}
