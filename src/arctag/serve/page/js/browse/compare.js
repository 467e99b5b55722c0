// Gold against predicted: which arcs are right, and how right the whole is.
import { relationText } from "../graph/scene.js";
import { isEmptyNode } from "../graph/nodes.js";

const MINUS = "−";

const idsOf = (sentence) => sentence.ids ?? sentence.words.map((_, i) => String(i + 1));

const touchesEmpty = (sentence, { head, dependent }) => isEmptyNode(sentence, head) || isEmptyNode(sentence, dependent);

/** The arcs between words: scores leave empty nodes and their arcs out. */
const scoredArcs = (sentence) => sentence.arcs.filter((arc) => !touchesEmpty(sentence, arc));

/** Why two sentences cannot be compared; empty if they can. Empty nodes may differ, words may not. */
function mismatch(gold, predicted) {
  const wordsOf = (sentence) => sentence.words.filter((_, i) => !isEmptyNode(sentence, i + 1));
  const [expected, found] = [wordsOf(gold), wordsOf(predicted)];
  const at = expected.findIndex((word, i) => word !== found[i]);
  if (at >= 0 && at < found.length) return `word ${at + 1} is “${expected[at]}” in gold and “${found[at]}” in the other`;
  if (expected.length !== found.length) return `gold has ${expected.length} words, the other ${found.length}`;
  return "";
}

/** The scored arcs of the prediction in gold's numbers: the words are the same, their places may differ. */
function renumbered(gold, predicted) {
  const places = new Map(idsOf(gold).map((id, i) => [id, i + 1]));
  const ids = idsOf(predicted);
  const place = (word) => (word === 0 ? 0 : places.get(ids[word - 1]));
  return scoredArcs(predicted).map((arc) => ({ ...arc, head: place(arc.head), dependent: place(arc.dependent) }));
}

function comparedEdge(head, dependent, expected, found) {
  if (!found) return { head, dependent, label: MINUS + relationText(expected), kind: "missing" };
  if (!expected) return { head, dependent, label: `+${relationText(found)}`, kind: "extra" };
  const lost = expected.relations.filter((relation) => !found.relations.includes(relation));
  const gained = found.relations.filter((relation) => !expected.relations.includes(relation));
  if (!lost.length && !gained.length) return { head, dependent, label: relationText(expected), kind: "correct" };
  const shared = expected.relations.filter((relation) => found.relations.includes(relation));
  const label = [...shared, ...lost.map((relation) => MINUS + relation), ...gained.map((relation) => `+${relation}`)].join(" ");
  return { head, dependent, label, kind: "relabelled" };
}

const relationsIn = (arcs) => arcs.reduce((sum, arc) => sum + arc.relations.length, 0);

/** Both sentences as edges with their kind, and the counts behind the scores; gold's arcs at empty nodes are shown only. */
export function compare(gold, predicted) {
  const problem = mismatch(gold, predicted);
  if (problem) return { problem };
  const [golden, arcs] = [scoredArcs(gold), renumbered(gold, predicted)];
  const key = (arc) => `${arc.head} ${arc.dependent}`;
  const expected = new Map(golden.map((arc) => [key(arc), arc]));
  const found = new Map(arcs.map((arc) => [key(arc), arc]));
  const pairs = [...new Set([...expected.keys(), ...found.keys()])].map((pair) => pair.split(" ").map(Number));
  pairs.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  const edges = pairs.map(([head, dependent]) => comparedEdge(head, dependent, expected.get(`${head} ${dependent}`), found.get(`${head} ${dependent}`)));
  const both = [...expected].filter(([pair]) => found.has(pair));
  const labelled = both.reduce((sum, [pair, arc]) => sum + arc.relations.filter((relation) => found.get(pair).relations.includes(relation)).length, 0);
  const unscored = gold.arcs.filter((arc) => touchesEmpty(gold, arc));
  return {
    edges: [...edges, ...unscored.map((arc) => ({ head: arc.head, dependent: arc.dependent, label: relationText(arc), kind: "unscored" }))],
    counts: {
      gold: golden.length, predicted: arcs.length, correct: both.length,
      goldLabels: relationsIn(golden), predictedLabels: relationsIn(arcs), correctLabels: labelled,
    },
    unscored: unscored.length,
    right: edges.every((edge) => edge.kind === "correct"),
  };
}

function f1(gold, predicted, correct) {
  return gold + predicted ? (200 * correct) / (gold + predicted) : 100;
}

/** UF and LF from counts: the F1 of arcs, and of arcs with their relations; arcs from the root count too. */
export function scores(counts) {
  return {
    UF: f1(counts.gold, counts.predicted, counts.correct),
    LF: f1(counts.goldLabels, counts.predictedLabels, counts.correctLabels),
  };
}

/** The counts of many comparisons as one. */
export function pooled(all) {
  const sum = { gold: 0, predicted: 0, correct: 0, goldLabels: 0, predictedLabels: 0, correctLabels: 0 };
  for (const counts of all) for (const name of Object.keys(sum)) sum[name] += counts[name];
  return sum;
}
