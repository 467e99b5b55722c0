// @ts-check
// What a picture shows: sentences of the service turned into words and edges with looks.
import { meaningOf, schemeOf, tagText } from "../relations.js";
import { arcsOf, graphTitle, lacksOf, MAIN, TREE } from "./graphs.js";
import { meaningOfLook } from "./legend.js";
import { isRightToLeft } from "./measure.js";
import { isEmptyNode, isPunctuation } from "./nodes.js";
import { assignPlanes } from "./planes.js";
import { depthsOf } from "./vertical.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Arc} Arc */
/** @typedef {import("../types").Edge} Edge */
/** @typedef {import("../types").Look} Look */
/** @typedef {import("../types").Scene} Scene */

const FAINTEST = 0.3;
const PLANE_STYLES = 6; // as many as the style sheet has; the next plane looks like the first again

/** The class that colours a plane. @param {number} plane */
export function planeClass(plane) {
  return `plane-${((plane - 1) % PLANE_STYLES) + 1}`;
}

/** The relations of an arc as one text. @param {Partial<Arc>} arc */
export function relationText(arc) {
  return (arc.relations ?? []).join(" + ");
}

/** "97" for 0.968: a probability as a label has room for it. @param {number} probability */
function percent(probability) {
  return `${Math.round(probability * 100)}%`;
}

/** @param {Sentence} sentence @param {{ head: number, dependent: number }[]} arcs @param {number[]} headless */
function wordMarks(sentence, arcs, headless) {
  const touched = new Set(arcs.flatMap((arc) => [arc.head, arc.dependent]));
  return sentence.words.map((_, i) => [
    ...(isEmptyNode(sentence, i + 1) ? ["empty"] : []),
    ...(touched.has(i + 1) ? [] : ["alone"]),
    ...(headless.includes(i + 1) ? ["headless"] : []),
  ]);
}

/** The lines below each word: its tag and, if asked for, its lemma. @param {Sentence} sentence @param {boolean} lemmas */
function wordNotes(sentence, lemmas) {
  const lines = [{ column: sentence.tags, look: "tag" }, ...(lemmas ? [{ column: sentence.lemmas, look: "lemma" }] : [])].filter(({ column }) => column);
  return sentence.words.map((_, i) => lines.map(({ column, look }) => [{ text: column?.[i] === "_" ? "" : column?.[i] ?? "", look }]));
}

/** For each word its lemma, its tags in words, and its features. @param {Sentence} sentence */
function wordsAbout({ words, lemmas, tags, xpos, feats }) {
  const cell = (/** @type {string[] | undefined} */ column, /** @type {number} */ i) => (column && column[i] !== "_" ? column[i] : "");
  return words.map((_, i) => [
    cell(lemmas, i) && `lemma ${cell(lemmas, i)}`, tagText(cell(tags, i)), cell(xpos, i), cell(feats, i).replaceAll("|", ", "),
  ].filter(Boolean).join(" · "));
}

/**
 * What a scene shows of words, given the arcs over them.
 *
 * @param {Sentence} sentence @param {{ head: number, dependent: number }[]} arcs @param {Look} look @param {string} graph
 */
function wordsOf(sentence, arcs, look, graph) {
  const { words } = sentence;
  const tree = sentence.tree ? arcsOf(sentence, TREE) : arcs;
  return {
    words, marks: wordMarks(sentence, arcs, lacksOf(sentence, graph).headless), notes: wordNotes(sentence, look.lemmas),
    about: wordsAbout(sentence), noteKind: /** @type {const} */ ("small"), rtl: isRightToLeft(words), depths: depthsOf(words.length, tree),
  };
}

/**
 * The arcs of a graph as edges; `looks` gives the class of each.
 *
 * @param {Arc[]} arcs @param {string} graph @param {string[]} looks @param {boolean} probabilities @returns {Edge[]}
 */
function edgesOf(arcs, graph, looks, probabilities) {
  const scheme = schemeOf(graph, arcs.flatMap((arc) => arc.relations ?? []));
  return arcs.map((arc, i) => {
    const shown = probabilities && arc.probability !== undefined;
    return {
      head: arc.head,
      dependent: arc.dependent,
      label: shown ? `${relationText(arc)} ${percent(arc.probability ?? 0)}` : relationText(arc),
      look: looks[i],
      opacity: shown ? FAINTEST + (1 - FAINTEST) * (arc.probability ?? 0) : undefined,
      relations: arc.relations,
      about: meaningOf(arc.relations ?? [], scheme),
      meaning: looks[i] === "further" ? meaningOfLook(looks[i]) : "",
    };
  });
}

/** Whether colours can tell what the tree lacks. @param {Sentence} sentence @param {Look} look */
export function hasTreeColours(sentence, look) {
  return look.colours === "tree" && look.graph === MAIN && Boolean(sentence.tree) && sentence.arcs.length > 0;
}

/** @param {Sentence} sentence @param {Arc[]} arcs @param {number[]} planes @param {Look} look */
function looksOf(sentence, arcs, planes, look) {
  if (!hasTreeColours(sentence, look)) return planes.map(planeClass);
  const basic = new Set(arcsOf(sentence, TREE).map(({ head, dependent }) => `${head} ${dependent}`));
  return arcs.map(({ head, dependent }) => (basic.has(`${head} ${dependent}`) ? "shared" : "further"));
}

/**
 * The scene of one of the graphs.
 *
 * @param {Sentence} sentence @param {Look} look @param {{ probabilities?: boolean }} options @returns {Scene}
 */
export function sceneOf(sentence, look, { probabilities = false } = {}) {
  const arcs = arcsOf(sentence, look.graph);
  const planes = assignPlanes(arcs);
  const below = look.below && look.below !== look.graph ? arcsOf(sentence, look.below) : [];
  const scene = {
    ...wordsOf(sentence, [...arcs, ...below], look, look.graph),
    edges: edgesOf(arcs, look.graph, looksOf(sentence, arcs, planes, look), probabilities),
    below: edgesOf(below, look.below, below.map(() => "under"), probabilities),
    layer: below.length ? graphTitle(look.below) : "",
    planes: Math.max(0, ...planes),
  };
  return look.punctuation ? scene : withoutPunctuation(scene, sentence);
}

/**
 * The scene of a gold sentence and compared arcs (see browse/compare.js).
 *
 * @param {Sentence} sentence
 * @param {{ head: number, dependent: number, label: string, kind: string, relations: string[] }[]} compared
 * @param {Look} look
 * @returns {Scene}
 */
export function comparedScene(sentence, compared, look) {
  const scheme = schemeOf(look.graph, compared.flatMap((edge) => edge.relations));
  const edges = compared.map(({ head, dependent, label, kind, relations }) => (
    { head, dependent, label, look: kind, relations, about: meaningOf(relations, scheme), meaning: kind === "correct" ? "" : meaningOfLook(kind) }
  ));
  const scene = { ...wordsOf(sentence, edges, look, look.graph), edges, below: [], layer: "" };
  return look.punctuation ? scene : withoutPunctuation(scene, sentence);
}

/**
 * The scene without the words that are punctuation marks and have no dependents, and without their arcs.
 *
 * @param {Scene} scene @param {Sentence} sentence @returns {Scene}
 */
function withoutPunctuation(scene, { tags }) {
  const heads = new Set([...scene.edges, ...(scene.below ?? [])].map((edge) => edge.head));
  const tagged = tags?.some((tag) => tag !== "_");
  const stays = scene.words.map((_, i) => i).filter((i) => heads.has(i + 1) || !isPunctuation(scene.words[i], tagged ? tags?.[i] ?? "" : null));
  const places = new Map([[0, 0], ...stays.map((old, i) => /** @type {[number, number]} */ ([old + 1, i + 1]))]);
  const kept = (/** @type {Edge[]} */ edges) => edges.filter((edge) => places.has(edge.dependent))
    .map((edge) => ({ ...edge, head: places.get(edge.head) ?? 0, dependent: places.get(edge.dependent) ?? 0 }));
  /** @type {<T>(column: T[] | undefined) => T[]} */
  const chosen = (column) => stays.map((i) => /** @type {any[]} */ (column)[i]);
  return {
    ...scene, words: chosen(scene.words), marks: chosen(scene.marks), notes: chosen(scene.notes), about: chosen(scene.about), depths: chosen(scene.depths),
    edges: kept(scene.edges), below: kept(scene.below ?? []), numbers: stays.map((i) => i + 1),
  };
}

/** The place of a word of the sentence in a scene that may leave words out; 0 if it is left out. @param {Scene} scene @param {number} word */
export function placeInScene(scene, word) {
  return scene.numbers ? scene.numbers.indexOf(word) + 1 : word;
}
