// @ts-check
// What is said of a word or an arc while one points at it. The caption of the picture says the same to screen readers.
import { h, refill } from "./dom.js";

const GAP = 10;

const element = h("div", { class: "tooltip", "aria-hidden": "true", hidden: true });
document.body.append(element);

/**
 * Show lines of text near a part of the page: above it, or below where there is no room.
 *
 * @param {DOMRect} near
 * @param {string[]} lines the first is the heading
 */
export function showTooltip(near, lines) {
  const [heading, ...others] = lines;
  refill(element, h("b", {}, heading), others.map((line) => h("span", {}, line)));
  element.hidden = false;
  const { width, height } = element.getBoundingClientRect();
  const left = Math.max(GAP, Math.min(near.left + near.width / 2 - width / 2, innerWidth - width - GAP));
  const above = near.top - height - GAP;
  const top = above < GAP ? Math.min(near.bottom + GAP, innerHeight - height - GAP) : above;
  element.style.setProperty("left", `${left}px`);
  element.style.setProperty("top", `${top}px`);
}

export function hideTooltip() {
  element.hidden = true;
}
