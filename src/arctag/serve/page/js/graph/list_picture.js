// @ts-check
// One sentence as an SVG picture with a word on each row, indented by its depth, and the arcs as brackets at the left.
import { s } from "../ui/dom.js";
import { bracketLine, bracketTip, rounded as n } from "./lines.js";
import { SIZES, widthOf } from "./measure.js";
import { finish } from "./picture.js";
import { bracketsOf } from "./vertical.js";

/** @typedef {import("../types").Edge} Edge */
/** @typedef {import("../types").Scene} Scene */

const MARGIN = 14;
const SIZE = { row: 27, step: 9, indent: 14 };
const COMPACT = { row: 22, step: 6, indent: 9 };
const GAP = 16; // between columns

/**
 * Draw a scene as a list.
 *
 * @param {Scene} scene @param {{ compact?: boolean }} options @returns {import("../types").Picture}
 */
export function drawList(scene, { compact = false } = {}) {
  const { row, step, indent } = compact ? COMPACT : SIZE;
  const { brackets, levels } = bracketsOf(scene.words.length, scene.edges, row);
  const right = levels * step + 2;
  const numbers = levels * step + GAP;
  const forms = numbers + widthOf(String(scene.words.length), "small") + 10;
  const starts = scene.words.map((_, i) => forms + (scene.depths?.[i] ?? 0) * indent);
  const noteKinds = scene.notes?.[0]?.length ?? 0;
  let edge = Math.max(forms, ...starts.map((x, i) => x + widthOf(scene.words[i], "word")));
  const columns = Array.from({ length: noteKinds }, (_, kind) => {
    const x = edge + GAP;
    edge = x + Math.max(0, ...(scene.notes ?? []).map((lines) => widthOf(lines[kind][0].text, "small")));
    return x;
  });
  const heads = relationTexts(scene, scene.edges, edge + GAP);
  const further = scene.below?.length ? relationTexts(scene, scene.below, heads.end + GAP) : { texts: [], end: heads.end };

  /** @type {SVGElement[][]} */
  const arcs = scene.edges.map(() => []);
  /** @type {SVGElement[][]} */
  const under = (scene.below ?? []).map(() => []);
  for (const bracket of brackets) {
    const { look, opacity } = scene.edges[bracket.edge];
    const d = bracketLine(bracket, right, step);
    arcs[bracket.edge].push(s("g", { class: `arc ${look}`, "data-arc": bracket.edge, opacity },
      s("path", { class: "hit", d }), s("path", { class: "line", d }), s("path", { class: "tip", d: bracketTip(right, bracket.dependentY) })));
  }
  const middle = (/** @type {number} */ i) => (i + 0.5) * row;
  for (const { i, x, text } of heads.texts) arcs[i].push(drawText(scene.edges[i], x, middle(scene.edges[i].dependent - 1), text, "arc", i));
  for (const { i, x, text } of further.texts) under[i].push(drawText((scene.below ?? [])[i], x, middle((scene.below ?? [])[i].dependent - 1), text, "below", i));
  const words = scene.words.map((word, i) => s("g", { class: ["word", ...(scene.marks?.[i] ?? [])].join(" "), "data-word": i + 1 },
    s("rect", { class: "hit", x: n(numbers - 4), y: n(i * row + 1), width: n(edge - numbers + 8), height: row - 2, rx: 6 }),
    s("text", { class: "note small", x: n(numbers), y: n(middle(i) + SIZES.small * 0.36) }, String(scene.numbers?.[i] ?? i + 1)),
    s("text", { x: n(starts[i]), y: n(middle(i) + SIZES.word * 0.33) }, word),
    columns.map((x, kind) => s("text", { class: `note small ${scene.notes?.[i][kind][0].look}`, x: n(x), y: n(middle(i) + SIZES.small * 0.36) }, scene.notes?.[i][kind][0].text))));
  const stage = s("g", { transform: `translate(${MARGIN} ${MARGIN})` }, arcs, words, under);
  const { svg, size } = finish(scene, stage, further.end, scene.words.length * row, "picture list");
  return {
    svg, stage, arcs, below: under, words, root: null, scene, size, scale: 1,
    place: (word) => ({ x: MARGIN + (starts[word - 1] ?? 0), y: MARGIN + middle(word - 1) }),
  };
}

/**
 * "nsubj ← wants" for each arc, beside its word; and where the longest row ends.
 *
 * @param {Scene} scene @param {Edge[]} edges @param {number} start
 */
function relationTexts(scene, edges, start) {
  const ends = scene.words.map(() => start);
  const texts = edges.map((edge, i) => {
    const text = edge.head === 0 ? edge.label : `${edge.label} ← ${scene.words[edge.head - 1]}`;
    const x = ends[edge.dependent - 1];
    ends[edge.dependent - 1] += widthOf(text, "relation") + 14;
    return { i, x, text };
  });
  return { texts, end: Math.max(start, ...ends) };
}

/** @param {Edge} edge @param {number} x @param {number} y @param {string} text @param {string} kind @param {number} i */
function drawText(edge, x, y, text, kind, i) {
  return s("g", { class: `arc ${edge.look}`, [`data-${kind}`]: i, opacity: edge.opacity },
    s("g", { class: "label" }, s("text", { x: n(x), y: n(y + SIZES.relation * 0.36) }, text)));
}
