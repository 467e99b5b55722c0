// A picture that scrolls in its own box, highlights what is under the pointer, and can be explored with keys.
import { h } from "../ui/dom.js";
import { describe, describeArc, lightUp, targetOf } from "./highlight.js";
import { drawPicture } from "./picture.js";

/** Bring a word into the visible part of its box. */
export function reveal(box, picture, word) {
  const x = picture.boxX(word) * picture.scale;
  const margin = 90;
  if (x < box.scrollLeft + margin) box.scrollLeft = x - margin;
  else if (x > box.scrollLeft + box.clientWidth - margin) box.scrollLeft = x - box.clientWidth + margin;
}

/** The target that a key leads to from the present one; undefined if the key means nothing here. */
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
  if (!target) return { word: 1 };
  const touching = scene.edges.map((_, i) => i).filter((i) => scene.edges[i].head === word || scene.edges[i].dependent === word);
  const at = touching.indexOf(target.arc) + (key === "ArrowUp" ? 1 : target.arc === undefined ? touching.length : -1);
  return at >= 0 && at < touching.length ? { arc: touching[at], from: word } : { word };
}

/**
 * The element with a picture of the scene, its caption and its text for readers of the page aloud.
 *
 * `idle` is the caption while nothing is highlighted. With `enterFirst` the keys ← and → are left to the page
 * until ↓ or ↑ has led into the picture.
 */
export function viewer(scene, { name, idle = "", enterFirst = false }) {
  const picture = drawPicture(scene);
  const caption = h("p", { class: "caption" }, idle);
  let target = null;

  const show = (next) => {
    target = next;
    lightUp(picture, next);
    caption.textContent = next ? describe(scene, next) : idle;
  };
  const onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && target) show(null);
    else {
      const vertical = event.key === "ArrowDown" || event.key === "ArrowUp";
      const next = enterFirst && !target && !vertical ? undefined : walk(scene, target, event.key);
      if (next === undefined || !scene.words.length) return;
      show(next);
      reveal(box, picture, next.word ?? next.from);
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const box = h("div", {
    class: "scroller", tabindex: 0, role: "group",
    "aria-label": `Graph of “${name}”. Arrow keys walk through words and arcs.`,
    on: {
      pointerover: (event) => show(targetOf(event.target)),
      pointerleave: (event) => { if (event.pointerType !== "touch") show(null); }, // a lifted finger is not done reading
      focusout: () => show(null),
      keydown: onKey,
    },
  }, picture.svg);
  caption.setAttribute("aria-live", "polite");
  const spoken = h("p", { class: "unseen" }, scene.edges.map((edge) => describeArc(scene, edge)).join("; "));
  const element = h("div", { class: "viewer" }, box, caption, spoken);
  if (scene.rtl) requestAnimationFrame(() => { box.scrollLeft = box.scrollWidth; });
  return { element, picture, box };
}
