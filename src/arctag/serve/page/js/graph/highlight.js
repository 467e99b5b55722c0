// @ts-check
// Highlighting what belongs together: a word with its heads and dependents, an arc with its two ends.

/** @typedef {import("../types").Edge} Edge */
/** @typedef {import("../types").Scene<any>} Scene */
/** @typedef {import("../types").Picture<any>} Picture */
/** @typedef {import("../types").Target} Target */

const MARKS = ["hot", "is-self", "is-head", "is-dependent"];

/** The edges of one side that belong to a target, by number. @param {Edge[]} edges @param {Target} target @param {number | undefined} own */
function touching(edges, target, own) {
  const one = target.arc !== undefined || target.below !== undefined;
  return edges.map((_, i) => i).filter((i) => (one ? i === own : edges[i].head === target.word || edges[i].dependent === target.word));
}

/** Let `target` (or null for nothing) stand out and everything else step back. @param {Picture} picture @param {Target | null} target */
export function lightUp(picture, target) {
  for (const part of picture.svg.querySelectorAll(MARKS.map((mark) => `.${mark}`).join(", "))) part.classList.remove(...MARKS);
  picture.svg.classList.toggle("lit", target !== null);
  if (target === null) return;
  const mark = (/** @type {number} */ word, /** @type {string} */ look) => (word === 0 ? picture.root : picture.words[word - 1])?.classList.add("hot", look);
  const { edges, below = [] } = picture.scene;
  for (const [side, elements, own] of /** @type {const} */ ([[edges, picture.arcs, target.arc], [below, picture.below, target.below]])) {
    for (const i of touching(side, target, own)) {
      for (const part of elements[i]) part.classList.add("hot");
      if (target.word === undefined || side[i].dependent === target.word) mark(side[i].head, "is-head");
      if (target.word === undefined || side[i].head === target.word) mark(side[i].dependent, "is-dependent");
    }
  }
  if (target.word !== undefined) mark(target.word, "is-self");
}

/** What an element of the picture stands for. @param {Element} element @returns {Target | null} */
export function targetOf(element) {
  const part = /** @type {SVGElement | null} */ (element.closest?.("[data-word], [data-arc], [data-below]"));
  if (!part) return null;
  const { word, arc, below } = part.dataset;
  if (word !== undefined) return { word: Number(word) };
  return arc !== undefined ? { arc: Number(arc) } : { below: Number(below) };
}

const nameOf = (/** @type {{ words: string[] }} */ scene, /** @type {number} */ word) => (word === 0 ? "root" : scene.words[word - 1]);

/** An arc in words: "wants → leave: xcomp". @param {{ words: string[] }} scene @param {import("../types").Ends & { label?: string }} edge */
export function describeArc(scene, edge) {
  return `${nameOf(scene, edge.head)} → ${nameOf(scene, edge.dependent)}${edge.label ? `: ${edge.label}` : ""}`;
}

/** The heads and dependents of a word. @param {Scene} scene @param {number} word @param {Edge[]} edges */
function neighbours(scene, word, edges) {
  const named = (/** @type {number} */ other, /** @type {Edge} */ edge) => `${nameOf(scene, other)}${edge.label ? ` (${edge.label})` : ""}`;
  const heads = edges.filter((edge) => edge.dependent === word).map((edge) => named(edge.head, edge));
  const dependents = edges.filter((edge) => edge.head === word).map((edge) => named(edge.dependent, edge));
  const parts = [];
  if (word !== 0) parts.push(heads.length ? `${heads.length > 1 ? "heads" : "head"} ${heads.join(", ")}` : "no head");
  parts.push(dependents.length ? `dependents ${dependents.join(", ")}` : "no dependents");
  return parts.join("; ");
}

/**
 * What is highlighted, in lines: a heading, then what there is to know.
 *
 * @param {Scene} scene @param {Target} target @returns {string[]}
 */
export function linesOf(scene, target) {
  if (target.word !== undefined) {
    const layered = scene.below?.length ? [`${scene.layer}: ${neighbours(scene, target.word, scene.below)}`] : [];
    return [nameOf(scene, target.word), scene.about?.[target.word - 1] ?? "", neighbours(scene, target.word, scene.edges), ...layered].filter(Boolean);
  }
  const edge = target.arc !== undefined ? scene.edges[target.arc] : (scene.below ?? [])[target.below ?? 0];
  return [describeArc(scene, edge), edge.about ?? "", edge.meaning ?? ""].filter(Boolean);
}

/** The same on one line, for the caption. @param {Scene} scene @param {Target} target */
export function describe(scene, target) {
  const [heading, ...others] = linesOf(scene, target);
  return target.word !== undefined ? `${heading}: ${others.join(" · ")}` : [heading, ...others].join(" · ");
}
