// @ts-check
// Searching a treebank: the service finds what a pattern describes, chunk by chunk.
import { post } from "../api.js";
import { chunksOf, fileText } from "../export/formats.js";

/** @typedef {import("./treebank.js").Treebank} Treebank */
/** @typedef {{ words: number[], names: Record<string, number>, arcs: [string, number, number][] }} Match */

export const KINDS = [
  ["form", "Word", "cat, un*able, /ing$/"], ["lemma", "Lemma", "be, want|need"], ["tag", "Tag", "NOUN|PROPN"], ["rel", "Relation", "nsubj, obl:*"],
  ["sent_id", "Sentence id", "weblog-0001"], ["text", "Text", "New York"], ["", "Pattern", "[upos=VERB] >nsubj [lemma=cat]"],
];

export const EXAMPLES = [
  ["the [upos=ADJ] [upos=NOUN]", "three words in a row"],
  ["[lemma=want] >xcomp [upos=VERB]", "a head and its dependent"],
  ["[upos=VERB] !>nsubj", "verbs without a subject"],
  ["[heads>=2]", "words with several heads"],
  ["a:[] > b:[]; a !>@tree b", "arcs that the tree lacks"],
  ["v:[upos=VERB] >nsubj []; v >obj [Number=Plur]", "two dependents of one word"],
  ["[] !<", "words without a head"],
];

const SPECIAL = /[*|"/[\]<>;=!@]/; // what the pattern language has a meaning for
const REGEX = /^\/.+\/i?$/s;

/** What is typed as a pattern: plain texts are looked for in the way one expects of their kind. @param {string} kind @param {string} text */
export function patternOf(kind, text) {
  const value = text.trim();
  if (!value || kind === "" || (kind === "form" && !REGEX.test(value))) return value; // words of a pattern are forms
  if (REGEX.test(value) || (SPECIAL.test(value) && !/\s/.test(value))) return `${kind}=${value}`;
  if (kind === "text") return `text=/${value.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")}/i`;
  if (kind === "sent_id") return `sent_id=*${value.replace(/\s/g, "*")}*`;
  return /\s/.test(value) ? `${kind}="${value.replace(/["\\]/g, "\\$&")}"` : `${kind}=${value}`;
}

/**
 * Search the sentences from `start` on; yields for each chunk where it ends, and the matches by the number of their sentence.
 *
 * @param {Treebank} treebank @param {number} start @param {string} pattern @param {string | undefined} layer @param {AbortSignal} signal
 */
export async function* matchesIn(treebank, start, pattern, layer, signal) {
  const numbered = treebank.sentences.slice(start).map((sentence, i) => ({ number: start + i, raw: sentence.raw, header: sentence.header, format: sentence.format, broken: Boolean(sentence.error) }));
  for (const chunk of chunksOf(numbered.filter((one) => !one.broken && one.raw !== undefined))) {
    const answer = await post("api/search", { graphs: fileText(chunk), format: chunk[0].format, pattern, layer }, signal);
    /** @type {[number, Match[]][]} */
    const found = answer.hits.map((/** @type {{ sentence: number, matches: Match[] }} */ hit) => [chunk[hit.sentence].number, hit.matches]);
    yield { end: chunk[chunk.length - 1].number + 1, found, total: Number(answer.matches) };
  }
}
