// @ts-check
// How wide a text is, in the fonts the style sheet names.
const pen = /** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"));
/** @type {Map<string, number>} */
const widths = new Map();
const MOST = 20000; // remembered texts

/** @typedef {"word" | "relation" | "code" | "small"} Kind */

/** The font sizes of a picture; the style sheet has the same. */
export const SIZES = { word: 18, relation: 11.5, code: 13, small: 11 };

const FAMILIES = { word: "--serif", relation: "--sans", code: "--mono", small: "--sans" };

/** @param {Kind} kind */
function fontOf(kind) {
  const family = getComputedStyle(document.documentElement).getPropertyValue(FAMILIES[kind]);
  return `${SIZES[kind]}px ${family}`;
}

/** @type {Map<Kind, string>} */
const fonts = new Map();

/** The width of a text of some kind, in pixels. @param {string} text @param {Kind} kind */
export function widthOf(text, kind) {
  const key = `${kind} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (!fonts.has(kind)) fonts.set(kind, fontOf(kind));
  pen.font = /** @type {string} */ (fonts.get(kind));
  const width = pen.measureText(text).width;
  if (widths.size > MOST) widths.clear();
  widths.set(key, width);
  return width;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Whether most words belong to a script written from right to left. @param {string[]} words */
export function isRightToLeft(words) {
  const letters = words.filter((word) => /\p{L}/u.test(word));
  return letters.filter((word) => RTL.test(word)).length * 2 > letters.length;
}
