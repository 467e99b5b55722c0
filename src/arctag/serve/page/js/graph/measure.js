// How wide a text is, in the fonts the style sheet names.
const pen = document.createElement("canvas").getContext("2d");
const widths = new Map();
const MOST = 20000; // remembered texts

/** The font sizes of a picture; the style sheet has the same. */
export const SIZES = { word: 18, relation: 11.5, code: 13, small: 11 };

const FAMILIES = { word: "--serif", relation: "--sans", code: "--mono", small: "--sans" };

function fontOf(kind) {
  const family = getComputedStyle(document.documentElement).getPropertyValue(FAMILIES[kind]);
  return `${SIZES[kind]}px ${family}`;
}

const fonts = new Map();

/** The width of a text of some kind, in pixels. */
export function widthOf(text, kind) {
  const key = `${kind} ${text}`;
  const known = widths.get(key);
  if (known !== undefined) return known;
  if (!fonts.has(kind)) fonts.set(kind, fontOf(kind));
  pen.font = fonts.get(kind);
  const width = pen.measureText(text).width;
  if (widths.size > MOST) widths.clear();
  widths.set(key, width);
  return width;
}

const RTL = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/** Whether most words belong to a script written from right to left. */
export function isRightToLeft(words) {
  const letters = words.filter((word) => /\p{L}/u.test(word));
  return letters.filter((word) => RTL.test(word)).length * 2 > letters.length;
}
