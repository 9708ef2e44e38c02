// A provider for promptfoo: returns the answer that the prompt names, byte by byte.
import fs from "node:fs";
import path from "node:path";

export default class Answers {
  constructor({ config }) {
    this.answers = JSON.parse(fs.readFileSync(path.join(config.folder, "answers.json"), "utf8"));
  }

  id() {
    return "answers";
  }

  async callApi(prompt) {
    const output = this.answers[prompt];
    return output === undefined ? { error: `no answer ${prompt}` } : { output };
  }
}
