// @ts-check
// A sentence on a card: its text, its picture, and what can be done with it.
import { saveMenu } from "../export/menu.js";
import { arcsOf, lacksOf, planesOf, TREE } from "../graph/graphs.js";
import { countWords, isEmptyNode } from "../graph/nodes.js";
import { sceneOf } from "../graph/scene.js";
import { viewer } from "../graph/viewer.js";
import { pack } from "../pack.js";
import { hashOf } from "../route.js";
import { button } from "./controls.js";
import { count, h } from "./dom.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Look} Look */

const TREE_ENCODING = "treebits7"; // what a tree is opened with: two planes are enough for nearly all of them

/** A name for files that no file system minds. @param {string} text */
export function stemOf(text) {
  return text.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40) || "sentence";
}

/** The text of a sentence; of tokens, the words with spaces between them. @param {Sentence} sentence */
export function textOf(sentence) {
  return sentence.text || sentence.words.join(" ");
}

/**
 * The words and rows of one of the graphs, as the view of encodings takes them; a tree has no empty nodes.
 *
 * @param {Sentence} sentence @param {string} name
 */
export function packedGraph(sentence, name) {
  const kept = sentence.words.flatMap((_, i) => (name === TREE && isEmptyNode(sentence, i + 1) ? [] : [i + 1]));
  const places = new Map([[0, 0], ...kept.map((word, i) => /** @type {[number, number]} */ ([word, i + 1]))]);
  const rows = arcsOf(sentence, name).map((arc) => [places.get(arc.head), places.get(arc.dependent), ...(arc.relations ?? [])]);
  return { w: kept.map((word) => sentence.words[word - 1]), a: rows };
}

/** Open one of the graphs of a sentence in the view of encodings. @param {Sentence} sentence @param {string} name */
export async function explain(sentence, name) {
  const g = await pack(JSON.stringify(packedGraph(sentence, name)));
  location.hash = hashOf("encodings", { e: name === TREE ? TREE_ENCODING : "", g });
}

/** What a graph is like, in a line: its size, its planes, what it lacks. @param {Sentence} sentence @param {Look} look */
export function factsOf(sentence, look) {
  const planes = planesOf(sentence, look.graph);
  const { headless, rootless } = lacksOf(sentence, look.graph);
  const facts = [countWords([sentence]), count(arcsOf(sentence, look.graph).length, "arc")];
  if (planes > 1) facts.push(count(planes, "plane"));
  if (rootless) facts.push("no root");
  if (headless.length) facts.push(`${count(headless.length, "word")} without a head`);
  if (sentence.score !== undefined) facts.push(`labels ${Math.round(100 * Math.exp(sentence.score))}% sure`);
  return facts.join(" · ");
}

/** What belongs to an element is called once, when it comes near the visible part of the page. @type {WeakMap<Element, () => void>} */
const waiting = new WeakMap();
const watcher = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) if (isIntersecting) waiting.get(target)?.();
}, { rootMargin: "800px" });

/**
 * The card; `number` is what the sentence is called.
 *
 * The picture is drawn when the card comes near, or when `picture` asks for it: of a long text only the
 * beginning is seen at once.
 *
 * @param {Sentence} sentence @param {number} number @param {Look} look @param {{ probabilities: boolean, width: () => number }} options
 */
export function sentenceCard(sentence, number, look, options) {
  const text = textOf(sentence);
  const place = h("div", { class: "picture-place" });
  /** @type {ReturnType<typeof viewer> | null} */
  let made = null;
  const picture = () => {
    if (!made) {
      made = viewer(sceneOf(sentence, look, options), look, { name: text, idle: factsOf(sentence, look), width: options.width() });
      place.replaceWith(made.element);
      watcher.unobserve(element);
    }
    return made.picture();
  };
  const source = () => ({ sentences: [sentence], graph: look.graph, pictures: () => [picture().svg], stem: stemOf(text) });
  const heading = h("header", { class: "card-head" },
    h("h2", {}, h("span", { class: "number" }, String(number)), h("span", { class: "sentence-text", dir: "auto" }, text)),
    h("div", { class: "actions" },
      button("As labels", () => explain(sentence, look.graph), { class: "quiet", title: "See this graph as labels, and decode it step by step" }),
      saveMenu("Save", source, { class: "quiet", "aria-label": `Save sentence ${number}` })));
  const element = h("article", { class: "card sentence" }, heading, place);
  waiting.set(element, picture);
  watcher.observe(element);
  return { element, picture };
}
