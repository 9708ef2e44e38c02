import { element, unseen } from "./elements.js";

/** @typedef {{start: number, end: number, oldText: string, newText: string}} Change offsets are code points */

/**
 * What leads from a text to another, in whole words.
 *
 * @param {string} original
 * @param {Change[]} changes in the order of their offsets
 */
export function differences(original, changes) {
  const points = Array.from(original);
  const box = element("div", { class: "text differences" });
  let at = 0;
  for (const { start, end, within } of inWholeWords(points, changes)) {
    const oldText = points.slice(start, end).join("");
    const [before, gone, come, after] = withoutShared(oldText, changed(points, start, end, within));
    box.append(points.slice(at, start).join(""), before);
    if (gone) box.append(element("del", {}, unseen(" removed: "), gone, unseen(" end of removed. ")));
    if (come) box.append(element("ins", {}, unseen(" added: "), come, unseen(" end of added. ")));
    box.append(after);
    at = end;
  }
  box.append(points.slice(at).join(""));
  return box;
}

/** What stands from `start` to `end` after the changes within. */
function changed(points, start, end, within) {
  const parts = [];
  let at = start;
  for (const change of within) {
    parts.push(...points.slice(at, change.start), change.newText);
    at = change.end;
  }
  return [...parts, ...points.slice(at, end)].join("");
}

/**
 * Widens changes that begin or end within a word: `maybe w` to `W` is `maybe write` to `Write`. Those that meet in a
 * word become one.
 *
 * @param {string[]} points the original
 * @param {Change[]} changes
 * @returns {{start: number, end: number, within: Change[]}[]}
 */
function inWholeWords(points, changes) {
  const isWord = (point) => point !== undefined && /[\p{L}\p{N}\p{M}]/u.test(point);
  const wide = [];
  for (const change of changes) {
    let { start, end } = change;
    const [gone, come] = [Array.from(change.oldText), Array.from(change.newText)];
    if (isWord(gone[0]) || isWord(come[0])) while (isWord(points[start - 1])) start -= 1;
    if (isWord(gone.at(-1)) || isWord(come.at(-1))) while (isWord(points[end])) end += 1;
    const before = wide.at(-1);
    if (before && start < before.end) {
      before.end = Math.max(before.end, end);
      before.within.push(change);
    } else {
      wide.push({ start, end, within: [change] });
    }
  }
  return wide;
}

/**
 * Cuts off the words that both texts begin and end with, so that only what differs is marked.
 *
 * @returns {[string, string, string, string]} what both begin with, the rest of each, and what both end with
 */
function withoutShared(oldText, newText) {
  const one = oldText.split(/(?<=\s)|(?=\s)/u);
  const other = newText.split(/(?<=\s)|(?=\s)/u);
  const before = [];
  const after = [];
  while (one.length > 0 && other.length > 0 && one[0] === other[0]) {
    before.push(one.shift());
    other.shift();
  }
  while (one.length > 0 && other.length > 0 && one.at(-1) === other.at(-1)) {
    after.unshift(one.pop());
    other.pop();
  }
  return [before, one, other, after].map((parts) => parts.join(""));
}
