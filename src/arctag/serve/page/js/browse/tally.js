// @ts-check
// All comparisons of a treebank added up: counts, which sentences have mistakes, and which relations are taken for which.
import { compare } from "./compare.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("./compare.js").Verdict} Verdict */
/** @typedef {import("./compare.js").Counts} Counts */

/** A kind of mistake: of an arc that is missing `predicted` is empty, of one too many `gold` is; both are the same where only the head is wrong. @typedef {{ gold: string, predicted: string, sentences: Set<number>, count: number }} Confusion */

/** @typedef {{ graph: string, verdicts: Map<number, Verdict>, counts: Counts, columns: Record<string, import("./compare.js").Share>, compared: number, wrong: number, confusions: Map<string, Confusion> }} Tally */

/** Nothing compared yet. @param {string} graph @returns {Tally} */
export function emptyTally(graph) {
  return {
    graph, verdicts: new Map(), columns: {}, compared: 0, wrong: 0, confusions: new Map(),
    counts: { gold: 0, predicted: 0, correct: 0, goldLabels: 0, predictedLabels: 0, correctLabels: 0 },
  };
}

/** The key of a confusion. @param {string} gold @param {string} predicted */
export const confusionKey = (gold, predicted) => `${gold}\n${predicted}`;

/**
 * The mistakes of a sentence as pairs of relations, each with the numbers of its edges. An arc that is missing and one too
 * many at the same word are one mistake: the word has another head.
 *
 * @param {import("./compare.js").ComparedEdge[]} edges
 * @returns {{ gold: string, predicted: string, edges: number[] }[]}
 */
export function mistakesIn(edges) {
  /** @type {{ gold: string, predicted: string, edges: number[] }[]} */
  const found = [];
  const kinds = (/** @type {string} */ kind) => edges.map((_, i) => i).filter((i) => edges[i].kind === kind);
  for (const i of kinds("relabelled")) {
    const { lost, gained } = edges[i];
    for (let at = 0; at < Math.max(lost.length, gained.length); at += 1) found.push({ gold: lost[at] ?? "", predicted: gained[at] ?? "", edges: [i] });
  }
  const extra = kinds("extra");
  for (const i of kinds("missing")) {
    const at = extra.findIndex((j) => edges[j].dependent === edges[i].dependent);
    const [j] = at < 0 ? [] : extra.splice(at, 1);
    found.push({ gold: edges[i].lost.join(" + "), predicted: j === undefined ? "" : edges[j].gained.join(" + "), edges: j === undefined ? [i] : [i, j] });
  }
  for (const j of extra) found.push({ gold: "", predicted: edges[j].gained.join(" + "), edges: [j] });
  return found.sort((a, b) => a.edges[0] - b.edges[0]);
}

/**
 * Compare one more sentence, and add it up; the tally is changed, and given back.
 *
 * @param {Tally} tally @param {number} i @param {Sentence} gold @param {Sentence} predicted @param {string} theirGraph
 */
export function take(tally, i, gold, predicted, theirGraph) {
  const verdict = compare(gold, predicted, tally.graph, theirGraph);
  tally.verdicts.set(i, verdict);
  if (verdict.problem) return tally;
  tally.compared += 1;
  if (!verdict.right) tally.wrong += 1;
  for (const name of /** @type {(keyof Counts)[]} */ (Object.keys(tally.counts))) tally.counts[name] += verdict.counts[name];
  for (const [name, { right, all }] of Object.entries(verdict.columns)) {
    const known = tally.columns[name] ?? { right: 0, all: 0 };
    tally.columns[name] = { right: known.right + right, all: known.all + all };
  }
  for (const { gold: expected, predicted: found } of mistakesIn(verdict.edges)) {
    const key = confusionKey(expected, found);
    const known = tally.confusions.get(key) ?? { gold: expected, predicted: found, sentences: new Set(), count: 0 };
    known.count += 1;
    known.sentences.add(i);
    tally.confusions.set(key, known);
  }
  return tally;
}
