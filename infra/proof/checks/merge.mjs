// Writes one configuration that runs the assertions of all exported files on all answers: merge.mjs <modules> <folder>
//
// A test has the variables and the assertions of its file, and names the answer that the provider returns. Answers stand
// in no variable, since promptfoo fills templates in these.
import fs from "node:fs";
import { createRequire } from "node:module";
import path from "node:path";

const [modules, folder] = process.argv.slice(2);
const yaml = createRequire(path.join(modules, "package.json"))("js-yaml");

const tests = [];
const answers = {};
for (const name of fs.readdirSync(folder).filter(name => /^\d+$/.test(name)).sort()) {
  const file = yaml.load(fs.readFileSync(path.join(folder, name, "promptfooconfig.yaml"), "utf8"));
  const { rows } = JSON.parse(fs.readFileSync(path.join(folder, name, "case.json"), "utf8"));
  const [test, ...others] = file.tests;
  if (others.length > 0 || Object.keys(test).some(key => !["description", "vars", "assert"].includes(key))) {
    throw new Error(`${name}: more than a test with variables and assertions`);
  }
  rows.forEach(({ answer }, row) => {
    answers[`${name}/${row}`] = answer;
    tests.push({ ...test, vars: { ...test.vars, _answer: `${name}/${row}` } });
  });
}
fs.writeFileSync(path.join(folder, "answers.json"), JSON.stringify(answers));
const provider = { id: `file://${path.join(import.meta.dirname, "answers.mjs")}`, config: { folder } };
const merged = { providers: [provider], prompts: ["{{ _answer }}"], tests };
fs.writeFileSync(path.join(folder, "merged.json"), JSON.stringify(merged));
