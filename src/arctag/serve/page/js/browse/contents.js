// @ts-check
// What a file has: tags, lemmas, features, a tree, graphs.
import { graphsIn, graphTitle, MAIN, TREE } from "../graph/graphs.js";
import { countWords } from "../graph/nodes.js";
import { count } from "../ui/dom.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("./treebank.js").Treebank} Treebank */

const COLUMNS = /** @type {const} */ ([["tags", "tags"], ["xpos", "language-specific tags"], ["lemmas", "lemmas"], ["feats", "features"]]);

/** The graphs that a treebank has. @param {Sentence[]} sentences */
export function graphsOf(sentences) {
  return graphsIn(sentences.filter((sentence) => sentence.words));
}

/** "tags, lemmas, tree and graph"; of a file without arcs, that it has none. @param {Sentence[]} sentences */
export function contentsOf(sentences) {
  const readable = sentences.filter((sentence) => sentence.words);
  const graphs = graphsOf(readable).filter((name) => name !== MAIN || readable.some((sentence) => sentence.arcs.length));
  const parts = [
    ...COLUMNS.filter(([key]) => readable.some((sentence) => sentence[key])).map(([, text]) => text),
    ...graphs.map((name) => (name === MAIN || name === TREE ? graphTitle(name).toLowerCase() : graphTitle(name))),
  ];
  if (!readable.length) return "";
  if (!parts.length) return "words only";
  return parts.length === 1 ? parts[0] : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
}

/** What a newcomer would miss: why there are no arcs, or not those of the main graph. @param {Treebank} treebank */
export function hintOf({ sentences, format }) {
  const readable = sentences.filter((sentence) => sentence.words);
  if (!readable.length || readable.some((sentence) => sentence.arcs.length)) return "";
  if (readable.some((sentence) => sentence.tree)) return "DEPS is empty in this file: its basic trees are shown.";
  return format === "sdp" ? "There are no arcs in this file." : "There are no arcs in this file: neither DEPS nor HEAD is filled.";
}

/** "2,002 sentences · 25,148 words · 3 broken · tags, tree and graph" @param {Treebank} treebank */
export function factsOf(treebank) {
  const broken = treebank.sentences.filter((sentence) => sentence.error).length;
  const parts = [count(treebank.sentences.length, "sentence"), countWords(treebank.sentences)];
  if (broken) parts.push(`${broken} broken`);
  const contents = contentsOf(treebank.sentences);
  if (contents) parts.push(contents);
  if (!treebank.whole) parts.push("reading …");
  return parts.join(" · ");
}
