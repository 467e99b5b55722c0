// @ts-check
// A picture in its own box, which highlights what is under the pointer and can be explored with keys.
import { h } from "../ui/dom.js";
import { hideTooltip, showTooltip } from "../ui/tooltip.js";
import { describe, describeArc, lightUp, linesOf, targetOf } from "./highlight.js";
import { drawList } from "./list_picture.js";
import { drawPicture } from "./picture.js";

/** @typedef {import("../types").Target} Target */
/** @typedef {import("../types").Scene} Scene */
/** @typedef {import("../types").Picture<any>} Picture */
/** @typedef {import("../types").Look} Look */

const SMALLEST = 0.15; // of the natural size, however long a sentence is
const NARROWEST = 260; // pixels that lines have at least

/** Bring a word into the visible part of its box, and of the page. @param {HTMLElement} box @param {Picture} picture @param {number} word */
export function reveal(box, picture, word, page = false) {
  const x = picture.place(word).x * picture.scale;
  const margin = 90;
  if (x < box.scrollLeft + margin) box.scrollLeft = x - margin;
  else if (x > box.scrollLeft + box.clientWidth - margin) box.scrollLeft = x - box.clientWidth + margin;
  if (page) (word === 0 ? picture.root : picture.words[word - 1])?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

/** The target that a key leads to from the present one; undefined if the key means nothing here. @param {Scene} scene @param {Target | null} target @param {string} key @returns {Target | undefined} */
function walk(scene, target, key) {
  const forward = scene.rtl ? "ArrowLeft" : "ArrowRight";
  const back = scene.rtl ? "ArrowRight" : "ArrowLeft";
  const n = scene.words.length;
  const word = target?.word ?? target?.from ?? 0;
  if (key === forward) return { word: Math.min(word + 1, n) };
  if (key === back) return { word: word ? Math.max(word - 1, 1) : n };
  if (key === "Home") return { word: 1 };
  if (key === "End") return { word: n };
  if (key !== "ArrowUp" && key !== "ArrowDown") return undefined;
  return target ? walkArcs(scene, target, word, key) : { word: 1 };
}

/** Through the arcs of a word: upwards those above it, downwards those below it, and back. @param {Scene} scene @param {Target} target @param {number} word @param {string} key @returns {Target} */
function walkArcs(scene, target, word, key) {
  const ends = (/** @type {import("../types").Ends} */ edge) => edge.head === word || edge.dependent === word;
  const above = scene.edges.flatMap((edge, i) => (ends(edge) ? [{ arc: i, from: word }] : []));
  const under = (scene.below ?? []).flatMap((edge, i) => (ends(edge) ? [{ below: i, from: word }] : []));
  /** @type {Target[]} */
  const ring = [{ word }, ...above, ...under.reverse()];
  const at = ring.findIndex((one) => one.arc === target.arc && one.below === target.below);
  return ring[(at + (key === "ArrowUp" ? 1 : ring.length - 1)) % ring.length];
}

/** Where in the page a target is drawn. @param {Picture} picture @param {Target} target */
function elementOf(picture, target) {
  if (target.word !== undefined) return target.word === 0 ? picture.root : picture.words[target.word - 1];
  const parts = target.arc !== undefined ? picture.arcs[target.arc] : picture.below[target.below ?? 0];
  return parts?.[0]?.querySelector(".label text") ?? parts?.[0];
}

/**
 * The element with a picture of the scene, its caption and its text for screen readers.
 *
 * `idle` is the caption while nothing is highlighted. With `enterFirst` the keys ← and → are left to the page
 * until ↓ or ↑ has led into the picture.
 *
 * @param {Scene} scene
 * @param {Look} look
 * @param {{ name: string, idle?: string, enterFirst?: boolean, width?: number }} options `width` is that of the box, if known
 */
export function viewer(scene, look, { name, idle = "", enterFirst = false, width = 0 }) {
  /** @type {Target | null} */
  let target = null;
  let drawnFor = 0;
  /** @type {Picture} */
  let picture = draw(width || NARROWEST);
  const caption = h("p", { class: "caption", "aria-live": "polite" }, idle);
  const box = h("div", {
    class: `scroller shape-${look.shape}`, tabindex: 0, role: "group",
    "aria-label": `Graph of “${name}”. Arrow keys walk through words and arcs.`,
    on: {
      pointerover: (/** @type {PointerEvent} */ event) => point(targetOf(/** @type {Element} */ (event.target)), /** @type {Element} */ (event.target)),
      pointerleave: (/** @type {PointerEvent} */ event) => { if (event.pointerType !== "touch") show(null); }, // a lifted finger is not done reading
      focusout: () => show(null),
      keydown: onKey,
      scroll: hideTooltip,
    },
  }, picture.svg);
  const spoken = h("p", { class: "unseen" }, spokenText(scene));
  const element = h("div", { class: "viewer" }, box, caption, spoken);
  new ResizeObserver(() => fit()).observe(box);
  if (scene.rtl) requestAnimationFrame(() => { box.scrollLeft = box.scrollWidth; });

  /** @param {number} room */
  function draw(room) {
    drawnFor = look.shape === "wrap" ? room : 0;
    if (look.shape === "list") return drawList(scene, { compact: look.compact });
    return drawPicture(scene, { compact: look.compact, room: look.shape === "wrap" ? Math.max(room, NARROWEST) : null });
  }

  /** Draw lines anew, or make the picture smaller, where the box has another width. */
  function fit() {
    const room = box.clientWidth;
    if (!room || room === drawnFor) return;
    if (look.shape === "wrap") {
      picture = draw(room);
      box.replaceChildren(picture.svg);
      lightUp(picture, target);
    } else if (look.shape === "fit") {
      drawnFor = room;
      picture.scale = Math.max(SMALLEST, Math.min(1, room / picture.size.width));
      picture.svg.setAttribute("width", String(Math.floor(picture.size.width * picture.scale)));
      picture.svg.setAttribute("height", String(Math.ceil(picture.size.height * picture.scale)));
    }
  }

  /** @param {Target | null} next */
  function show(next) {
    target = next;
    lightUp(picture, next);
    caption.textContent = next ? describe(scene, next) : idle;
    if (!next) hideTooltip();
  }

  /** @param {Target | null} next @param {Element} [at] */
  function point(next, at) {
    show(next);
    const near = next && (at ?? elementOf(picture, next));
    if (next && near) showTooltip(near.getBoundingClientRect(), linesOf(scene, next));
  }

  /** Show a target and bring it into sight. @param {Target} next */
  function goTo(next) {
    show(next);
    const edge = next.arc !== undefined ? scene.edges[next.arc] : undefined;
    reveal(box, picture, next.word ?? next.from ?? edge?.dependent ?? 1, true);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && target) show(null);
    else {
      const vertical = event.key === "ArrowDown" || event.key === "ArrowUp";
      const next = enterFirst && !target && !vertical ? undefined : walk(scene, target, event.key);
      if (next === undefined || !scene.words.length) return;
      show(next);
      reveal(box, picture, next.word ?? next.from ?? 1, true);
      point(next);
    }
    event.preventDefault();
    event.stopPropagation();
  }

  return {
    element, box, goTo, picture: () => picture,
    reveal: (/** @type {number} */ word) => reveal(box, picture, word),
  };
}

/** All arcs in words. @param {Scene} scene */
function spokenText(scene) {
  const arcs = scene.edges.map((edge) => describeArc(scene, edge)).join("; ");
  const below = (scene.below ?? []).map((edge) => describeArc(scene, edge)).join("; ");
  return below ? `${arcs}. ${scene.layer}: ${below}` : arcs;
}
