// @ts-check
// Checks that the service would make, too, without asking it; the limits are the service's own.
import { INFO } from "../info.js";
import { digits } from "../ui/dom.js";

/** Why words cannot be used; empty if they can. @param {string[]} words */
export function wordsFault(words) {
  const most = INFO.limits.words;
  if (!words.length) return "There must be at least one word.";
  return words.length > most ? `${digits(words.length)} words are too many; a graph can have at most ${digits(most)} here.` : "";
}

/** Why a graph is no tree; empty if it is one. @param {import("./graph.js").Graph} graph */
export function treeFault({ words, arcs }) {
  /** @type {Map<number, number[]>} */
  const heads = new Map();
  for (const { head, dependent } of arcs) heads.set(dependent, [...(heads.get(dependent) ?? []), head]);
  const name = (/** @type {number} */ word) => `word ${word} “${words[word - 1]}”`;
  for (let word = 1; word <= words.length; word += 1) {
    const found = heads.get(word)?.length ?? 0;
    if (found !== 1) return `${name(word)} has ${found === 0 ? "no head" : `${found} heads`}`;
  }
  const safe = new Set([0]); // words whose heads lead to the root
  for (let word = 1; word <= words.length; word += 1) {
    const way = new Set();
    let at = word;
    while (!safe.has(at) && !way.has(at)) {
      way.add(at);
      [at] = /** @type {number[]} */ (heads.get(at));
    }
    if (way.has(at)) return `${name(at)} is on a cycle`;
    for (const one of way) safe.add(one);
  }
  return "";
}

/** Why the steps of these labels are not explained; empty if they are. @param {string[]} labels */
export function stepsFault(labels) {
  const { trace_words: words, trace_labels: most } = INFO.limits;
  const characters = labels.reduce((sum, label) => sum + label.length, 0);
  if (labels.length <= words && characters <= most) return "";
  return `${digits(labels.length)} labels of ${digits(characters)} characters; at most ${digits(words)} words and ${digits(most)} characters are explained step by step.`;
}
