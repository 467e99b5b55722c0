// @ts-check
// Words and empty nodes: both stand in a graph, but only words are counted and scored.
import { count } from "../ui/dom.js";

/** @typedef {Pick<import("../types").Sentence, "words" | "ids">} Nodes */

/** Whether the node of that number, from 1, is an empty node such as 5.1. @param {Nodes} sentence @param {number} number */
export function isEmptyNode(sentence, number) {
  return sentence.ids?.[number - 1]?.includes(".") ?? false;
}

/** How many empty nodes a sentence has. @param {Nodes} sentence */
export function emptyNodes(sentence) {
  return sentence.ids?.filter((id) => id.includes(".")).length ?? 0;
}

/** "7 words", "7 words and 1 empty node"; of one sentence or of many. @param {Partial<Nodes>[]} sentences */
export function countWords(sentences) {
  const empty = sentences.reduce((sum, sentence) => sum + (sentence.ids?.filter((id) => id.includes(".")).length ?? 0), 0);
  const nodes = sentences.reduce((sum, sentence) => sum + (sentence.words?.length ?? 0), 0);
  return count(nodes - empty, "word") + (empty ? ` and ${count(empty, "empty node")}` : "");
}

const MARK = /^\p{P}+$/u;

/**
 * Whether a word is a punctuation mark: by its tag or, where there are no tags, by its characters.
 *
 * @param {string} word @param {string | null} tag
 */
export function isPunctuation(word, tag) {
  return tag === null ? MARK.test(word) : tag === "PUNCT";
}
