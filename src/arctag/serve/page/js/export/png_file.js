// @ts-check
// A picture as a PNG file, painted shape by shape: an image made from SVG text would need a looser security policy.
import { onStage } from "./stage.js";

const SCALE = 2;
const COARSEST = 0.6;
const MOST_PIXELS = 120e6;
const LONGEST_SIDE = 16000;

/** @param {number} width @param {number} height */
function fitting(width, height) {
  const scale = Math.min(SCALE, LONGEST_SIDE / Math.max(width, height), Math.sqrt(MOST_PIXELS / (width * height)));
  if (scale < COARSEST) throw new Error("That is too large for a PNG file; save as SVG, or save single sentences.");
  return { width: Math.ceil(width * scale), height: Math.ceil(height * scale), scale };
}

/** The opacity of an element and of all around it, up to the picture. @param {Element} element */
function opacityOf(element) {
  let opacity = 1;
  for (let at = /** @type {Element | null} */ (element); at && at.localName !== "svg"; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return opacity;
}

/** @param {Element} element */
function outline(element) {
  if (element.localName === "path") return new Path2D(element.getAttribute("d") ?? "");
  const path = new Path2D();
  const [x, y, width, height, radius] = ["x", "y", "width", "height", "rx"].map((name) => Number(element.getAttribute(name) ?? 0));
  path.roundRect(x, y, width, height, radius);
  return path;
}

/** @param {CanvasRenderingContext2D} pen @param {Element} element @param {CSSStyleDeclaration} style */
function paintShape(pen, element, style) {
  const path = outline(element);
  if (style.fill !== "none") {
    pen.fillStyle = style.fill;
    pen.fill(path);
  }
  if (style.stroke === "none") return;
  pen.strokeStyle = style.stroke;
  pen.lineWidth = parseFloat(style.strokeWidth);
  pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(/[ ,]+/).map(parseFloat));
  pen.stroke(path);
}

/** A text, or its parts one after another, each where the browser put it. @param {CanvasRenderingContext2D} pen @param {SVGTextContentElement} element */
function paintText(pen, element) {
  const parts = /** @type {SVGTextContentElement[]} */ (element.children.length ? [...element.children] : [element]);
  for (const part of parts) {
    if (!part.textContent) continue;
    const style = getComputedStyle(part);
    const start = part.getStartPositionOfChar(0);
    const end = part.getEndPositionOfChar(part.getNumberOfChars() - 1);
    pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    pen.fillStyle = style.fill;
    pen.textAlign = "left";
    pen.direction = "ltr";
    pen.fillText(part.textContent, Math.min(start.x, end.x), start.y);
  }
}

/** @param {CanvasRenderingContext2D} pen @param {SVGElement} svg @param {number} scale */
function paint(pen, svg, scale) {
  const base = /** @type {DOMMatrix} */ (/** @type {SVGGraphicsElement} */ (svg).getScreenCTM()).inverse();
  for (const element of /** @type {NodeListOf<SVGGraphicsElement>} */ (svg.querySelectorAll("path, rect, text"))) {
    const { a, b, c, d, e, f } = base.multiply(/** @type {DOMMatrix} */ (element.getScreenCTM()));
    pen.setTransform(scale * a, scale * b, scale * c, scale * d, scale * e, scale * f);
    pen.globalAlpha = opacityOf(element);
    if (element.localName === "text") paintText(pen, /** @type {SVGTextContentElement} */ (/** @type {unknown} */ (element)));
    else paintShape(pen, element, getComputedStyle(element));
  }
}

/** A PNG file with the given pictures, twice as fine as on the screen where that fits. @param {SVGElement[]} pictures @returns {Promise<Blob>} */
export async function pngFile(pictures) {
  const canvas = document.createElement("canvas");
  onStage(pictures, (svg) => {
    const { width, height, scale } = fitting(Number(svg.getAttribute("width")), Number(svg.getAttribute("height")));
    Object.assign(canvas, { width, height });
    paint(/** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d")), svg, scale);
  });
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error("The picture is too large for a PNG file."))), "image/png");
  });
}
