// @ts-check
// Pictures for files are always in the light colours, whatever the page wears: they go into papers and slides.
import { h, s } from "../ui/dom.js";

const GAP = 10;
const MARKS = ["hot", "is-self", "is-head", "is-dependent"];

/** The width and height that a picture has of its own; on the page it may be drawn larger or smaller. @param {SVGElement} svg */
function sizeOf(svg) {
  const [, , width, height] = (svg.getAttribute("viewBox") ?? "").split(" ").map(Number);
  return { width, height };
}

/** One SVG element with all the pictures below each other. @param {SVGElement[]} pictures */
function stacked(pictures) {
  const sizes = pictures.map(sizeOf);
  const width = Math.max(...sizes.map((size) => size.width));
  const height = sizes.reduce((sum, size) => sum + size.height + GAP, -GAP);
  const whole = s("svg", { class: "picture", width, height, viewBox: `0 0 ${width} ${height}` }, s("rect", { class: "paper", width, height }));
  let y = 0;
  pictures.forEach((svg, i) => {
    const list = svg.classList.contains("list") ? "list" : undefined;
    whole.append(s("g", { transform: `translate(0 ${y})`, class: list }, [...svg.cloneNode(true).childNodes]));
    y += sizes[i].height + GAP;
  });
  return whole;
}

/**
 * Call `use` with a copy of the pictures that stands in the document, so that its styles can be computed.
 *
 * @template T
 * @param {SVGElement[]} pictures @param {(svg: SVGElement) => T} use
 */
export function onStage(pictures, use) {
  const svg = pictures.length === 1 ? /** @type {SVGElement} */ (pictures[0].cloneNode(true)) : stacked(pictures);
  const { width, height } = sizeOf(svg);
  svg.setAttribute("width", String(width));
  svg.setAttribute("height", String(height));
  svg.classList.remove("lit");
  for (const part of svg.querySelectorAll(MARKS.map((mark) => `.${mark}`).join(", "))) part.classList.remove(...MARKS);
  for (const part of svg.querySelectorAll(".hit, .root-place")) part.remove(); // what only a hand or a key needs
  const stage = h("div", { class: "stage", "data-theme": "light", "aria-hidden": "true" }, svg);
  document.body.append(stage);
  try {
    return use(svg);
  } finally {
    stage.remove();
  }
}
