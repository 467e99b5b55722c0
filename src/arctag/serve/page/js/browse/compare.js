// @ts-check
// Gold against predicted: which arcs are right, and how right the whole is.
import { arcsOf, TREE } from "../graph/graphs.js";
import { isEmptyNode } from "../graph/nodes.js";
import { relationText } from "../graph/scene.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Arc} Arc */
/** @typedef {import("../types").Ends} Ends */

/** @typedef {{ gold: number, predicted: number, correct: number, goldLabels: number, predictedLabels: number, correctLabels: number }} Counts */
/** @typedef {{ head: number, dependent: number, label: string, kind: string, relations: string[], lost: string[], gained: string[] }} ComparedEdge */
/** @typedef {{ right: number, all: number }} Share */

/**
 * How two sentences compare; or in `problem` why they cannot be compared.
 *
 * @typedef {{ problem: string, edges: ComparedEdge[], counts: Counts, columns: Record<string, Share>, unscored: number, right: boolean }} Verdict
 */

const MINUS = "−";
const NOTHING = { gold: 0, predicted: 0, correct: 0, goldLabels: 0, predictedLabels: 0, correctLabels: 0 };
const COLUMNS = /** @type {const} */ ([["tags", "UPOS"], ["xpos", "XPOS"], ["feats", "features"], ["lemmas", "lemmas"]]);

const idsOf = (/** @type {Sentence} */ sentence) => sentence.ids ?? sentence.words.map((_, i) => String(i + 1));

const touchesEmpty = (/** @type {Sentence} */ sentence, /** @type {Ends} */ { head, dependent }) => isEmptyNode(sentence, head) || isEmptyNode(sentence, dependent);

/** The places, from 0, of words that are no empty nodes. @param {Sentence} sentence */
const wordsIn = (sentence) => sentence.words.flatMap((_, i) => (isEmptyNode(sentence, i + 1) ? [] : [i]));

/** Why two sentences cannot be compared; empty if they can. Empty nodes may differ, words may not. @param {Sentence} gold @param {Sentence} predicted */
function mismatch(gold, predicted) {
  const wordsOf = (/** @type {Sentence} */ sentence) => wordsIn(sentence).map((i) => sentence.words[i]);
  const [expected, found] = [wordsOf(gold), wordsOf(predicted)];
  const at = expected.findIndex((word, i) => word !== found[i]);
  if (at >= 0 && at < found.length) return `word ${at + 1} is “${expected[at]}” in gold and “${found[at]}” in the other`;
  if (expected.length !== found.length) return `gold has ${expected.length} words, the other ${found.length}`;
  return "";
}

/** The scored arcs of the prediction in gold's numbers: the words are the same, their places may differ. @param {Sentence} gold @param {Sentence} predicted @param {Arc[]} arcs */
function renumbered(gold, predicted, arcs) {
  const places = new Map(idsOf(gold).map((id, i) => [id, i + 1]));
  const ids = idsOf(predicted);
  const place = (/** @type {number} */ word) => (word === 0 ? 0 : places.get(ids[word - 1]) ?? 0);
  return arcs.map((arc) => ({ ...arc, head: place(arc.head), dependent: place(arc.dependent) }));
}

/** @param {number} head @param {number} dependent @param {Arc | undefined} expected @param {Arc | undefined} found @returns {ComparedEdge} */
function comparedEdge(head, dependent, expected, found) {
  const lost = (expected?.relations ?? []).filter((relation) => !found?.relations.includes(relation));
  const gained = (found?.relations ?? []).filter((relation) => !expected?.relations.includes(relation));
  const ends = { head, dependent, lost, gained };
  if (expected && !found) return { ...ends, label: MINUS + relationText(expected), kind: "missing", relations: expected.relations };
  if (found && !expected) return { ...ends, label: `+${relationText(found)}`, kind: "extra", relations: found.relations };
  const shared = (expected?.relations ?? []).filter((relation) => found?.relations.includes(relation));
  if (!lost.length && !gained.length) return { ...ends, label: relationText(/** @type {Arc} */ (expected)), kind: "correct", relations: shared };
  const label = [...shared, ...lost.map((relation) => MINUS + relation), ...gained.map((relation) => `+${relation}`)].join(" ");
  return { ...ends, label, kind: "relabelled", relations: [...shared, ...lost, ...gained] };
}

const relationsIn = (/** @type {Arc[]} */ arcs) => arcs.reduce((sum, arc) => sum + arc.relations.length, 0);

/** For each column that both sentences have, how many of its cells are the same. @param {Sentence} gold @param {Sentence} predicted */
function comparedColumns(gold, predicted) {
  /** @type {Record<string, Share>} */
  const columns = {};
  const [ours, theirs] = [wordsIn(gold), wordsIn(predicted)];
  for (const [key, name] of COLUMNS) {
    const [expected, found] = [gold[key], predicted[key]];
    if (expected && found) columns[name] = { right: ours.filter((i, at) => expected[i] === found[theirs[at]]).length, all: ours.length };
  }
  return columns;
}

/**
 * Both sentences as edges with their kind, and the counts behind the scores; gold's arcs at empty nodes are shown only.
 *
 * @param {Sentence} gold @param {Sentence} predicted @param {string} graph @param {string} theirGraph what the prediction calls it
 * @returns {Verdict}
 */
export function compare(gold, predicted, graph, theirGraph = graph) {
  const problem = mismatch(gold, predicted);
  if (problem) return { problem, edges: [], counts: NOTHING, columns: {}, unscored: 0, right: true };
  const all = arcsOf(gold, graph);
  const golden = all.filter((arc) => !touchesEmpty(gold, arc));
  const arcs = renumbered(gold, predicted, arcsOf(predicted, theirGraph).filter((arc) => !touchesEmpty(predicted, arc)));
  const key = (/** @type {Ends} */ arc) => `${arc.head} ${arc.dependent}`;
  const expected = new Map(golden.map((arc) => [key(arc), arc]));
  const found = new Map(arcs.map((arc) => [key(arc), arc]));
  const pairs = [...new Set([...expected.keys(), ...found.keys()])].map((pair) => pair.split(" ").map(Number));
  pairs.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const edges = pairs.map(([head, dependent]) => comparedEdge(head, dependent, expected.get(`${head} ${dependent}`), found.get(`${head} ${dependent}`)));
  const both = [...expected].filter(([pair]) => found.has(pair));
  const labelled = both.reduce((sum, [pair, arc]) => sum + arc.relations.filter((relation) => found.get(pair)?.relations.includes(relation)).length, 0);
  const unscored = all.filter((arc) => touchesEmpty(gold, arc));
  return {
    problem: "",
    edges: [...edges, ...unscored.map((arc) => ({ head: arc.head, dependent: arc.dependent, label: relationText(arc), kind: "unscored", relations: arc.relations, lost: [], gained: [] }))],
    counts: {
      gold: golden.length, predicted: arcs.length, correct: both.length,
      goldLabels: relationsIn(golden), predictedLabels: relationsIn(arcs), correctLabels: labelled,
    },
    columns: comparedColumns(gold, predicted),
    unscored: unscored.length,
    right: edges.every((edge) => edge.kind === "correct"),
  };
}

/** @param {number} gold @param {number} predicted @param {number} correct */
function f1(gold, predicted, correct) {
  return gold + predicted ? (200 * correct) / (gold + predicted) : 100;
}

/** The scores of counts: the F1 of arcs, and of arcs with their relations; arcs from the root count too. @param {Counts} counts */
export function scores(counts) {
  return {
    UF: f1(counts.gold, counts.predicted, counts.correct),
    LF: f1(counts.goldLabels, counts.predictedLabels, counts.correctLabels),
  };
}

/** What the two scores are called for a graph: attachment scores for trees, where they come to the same. @param {string} graph */
export function scoreNames(graph) {
  return graph === TREE ? { UF: "UAS", LF: "LAS" } : { UF: "UF", LF: "LF" };
}

/** "UF 80.00 · LF 75.00" @param {Counts} counts @param {string} graph */
export function scoreText(counts, graph) {
  const [{ UF, LF }, names] = [scores(counts), scoreNames(graph)];
  return `${names.UF} ${UF.toFixed(2)} · ${names.LF} ${LF.toFixed(2)}`;
}
