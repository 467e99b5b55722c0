// @ts-check
// The graphs of a sentence by name: "graph" is the main one, "tree" the basic tree, any other a further layer.
import { assignPlanes } from "./planes.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Arc} Arc */

export const MAIN = "graph";
export const TREE = "tree";

/** The arcs of the basic tree; empty nodes have no place in it. @param {Sentence} sentence @returns {Arc[]} */
function treeArcs(sentence) {
  return (sentence.tree ?? []).flatMap((node, i) => (node ? [{
    head: placeOf(sentence, node.head), dependent: i + 1, relations: [node.relation],
    ...(node.probability === undefined ? {} : { probability: node.probability }),
  }] : []));
}

/** The place of the word with that number: empty nodes take places, but no numbers. @param {Sentence} sentence @param {number} word */
function placeOf(sentence, word) {
  return word && sentence.ids ? sentence.ids.indexOf(String(word)) + 1 : word;
}

/** Whether a sentence has a graph of that name. @param {Sentence} sentence @param {string} name */
export function hasGraph(sentence, name) {
  if (name === TREE) return Boolean(sentence.tree);
  return name === MAIN ? Boolean(sentence.arcs?.length) : Boolean(sentence.layers?.[name]?.arcs);
}

/** The arcs of a graph; none if the sentence has no such graph. @param {Sentence} sentence @param {string} name @returns {Arc[]} */
export function arcsOf(sentence, name) {
  if (name === TREE) return treeArcs(sentence);
  return (name === MAIN ? sentence.arcs : sentence.layers?.[name]?.arcs) ?? [];
}

/**
 * The names of the graphs that some of the sentences have; the main one is left out where it is empty beside others.
 *
 * @param {Sentence[]} sentences
 */
export function graphsIn(sentences) {
  const further = sentences.flatMap((sentence) => Object.entries(sentence.layers ?? {}).filter(([, layer]) => layer.arcs).map(([name]) => name));
  const others = [...(sentences.some((sentence) => sentence.tree) ? [TREE] : []), ...new Set(further)];
  return others.length && sentences.every((sentence) => !sentence.arcs?.length) ? others : [MAIN, ...others];
}

/** "Graph", "Tree", "DM"; of a column such as ARCTAG:DM, what stands after the colon. @param {string} name */
export function graphTitle(name) {
  if (name === MAIN) return "Graph";
  if (name === TREE) return "Tree";
  const bare = name.slice(name.indexOf(":") + 1);
  return { dm: "DM", propbank: "PropBank", pas: "PAS", psd: "PSD" }[bare.toLowerCase()] ?? bare;
}

/** How many planes the arcs of a graph need; remembered, since lists, captions and searches ask for it. @type {WeakMap<Sentence, Map<string, number>>} */
const planes = new WeakMap();

/** @param {Sentence} sentence @param {string} name */
export function planesOf(sentence, name) {
  const known = planes.get(sentence) ?? new Map();
  if (!known.has(name)) known.set(name, Math.max(0, ...assignPlanes(arcsOf(sentence, name))));
  planes.set(sentence, known);
  return /** @type {number} */ (known.get(name));
}

/** Whether some word can be reached from itself. @param {import("../types").Ends[]} arcs @param {number} n */
export function isCyclic(arcs, n) {
  const waiting = new Array(n + 1).fill(0);
  /** @type {number[][]} */
  const children = Array.from({ length: n + 1 }, () => []);
  for (const { head, dependent } of arcs) {
    waiting[dependent] += 1;
    children[head].push(dependent);
  }
  const free = waiting.flatMap((number, word) => (number === 0 ? [word] : []));
  for (let at = 0; at < free.length; at += 1) {
    for (const child of children[free[at]]) {
      waiting[child] -= 1;
      if (waiting[child] === 0) free.push(child);
    }
  }
  return free.length <= n;
}

const MOSTLY = 0.7; // from this share of words with a head on, the others are worth a mark

/**
 * What a graph lacks in which nearly every word has a head: words without one, and a root. Semantic graphs, where many
 * words have no head, lack nothing.
 *
 * @param {Sentence} sentence @param {string} name
 */
export function lacksOf(sentence, name) {
  const arcs = arcsOf(sentence, name);
  const headed = new Set(arcs.map((arc) => arc.dependent));
  const words = sentence.words.flatMap((_, i) => (sentence.ids?.[i]?.includes(".") ? [] : [i + 1]));
  const headless = words.filter((word) => !headed.has(word));
  if (!words.length || headless.length > (1 - MOSTLY) * words.length) return { headless: [], rootless: false };
  return { headless, rootless: !arcs.some((arc) => arc.head === 0) };
}
