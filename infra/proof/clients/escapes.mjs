// Refuses ways around the types of a generated client in what is written by hand: casts, `any` and `unknown`, ignored
// findings, and strings that index an object.
//
// escapes.mjs <file>...

import { readFileSync } from "node:fs";

import ts from "typescript";

/** What a node escapes by. */
function escape(node) {
  if (ts.isAsExpression(node)) return ts.isConstTypeReference(node.type) ? undefined : "a cast";
  if (ts.isTypeAssertionExpression(node)) return "a cast";
  if (ts.isNonNullExpression(node)) return "`!`";
  if (node.kind === ts.SyntaxKind.AnyKeyword) return "any";
  if (node.kind === ts.SyntaxKind.UnknownKeyword) return "unknown";
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return "an index into an object";
  }
  return undefined;
}

const found = [];
for (const file of process.argv.slice(2)) {
  const text = readFileSync(file, "utf8");
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
  const report = (position, what) => {
    found.push(`${file}:${source.getLineAndCharacterOfPosition(position).line + 1}: ${what}`);
  };
  const visit = (node) => {
    const what = escape(node);
    if (what !== undefined) report(node.getStart(source), what);
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const ignored of text.matchAll(/@ts-(ignore|expect-error|nocheck)/g)) {
    report(ignored.index, "an ignored finding");
  }
}
if (found.length > 0) {
  console.error(found.join("\n"));
  process.exit(1);
}
