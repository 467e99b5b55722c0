// @ts-check
// Labels for the eye: bits in one line for each plane, brackets in the colour of theirs.
import { planeClass } from "../graph/scene.js";

const BITS = /^[01]+(\.[01]+)*$/;
const BRACKET = /[\\/<>]\**/g;

/** Whether the labels of an encoding have a group of bits for each plane. @param {string} family */
export function isBits(family) {
  return family.startsWith("bits");
}

/** The lines of a label: each a list of { text, look }. @param {string} label @param {string} family */
export function labelLines(label, family) {
  if (isBits(family) && BITS.test(label)) return label.split(".").map((bits, i) => [{ text: bits, look: `code ${planeClass(i + 1)}` }]);
  if (family.endsWith("brackets") && label !== ".") {
    const parts = label.match(BRACKET) ?? [];
    if (parts.join("") === label) return [parts.map((text) => ({ text, look: `code ${planeClass(text.length)}` }))];
  }
  return [[{ text: label, look: "code" }]];
}

/** The names of those lines, for the margin. @param {string} family @param {number | null} planes */
export function lineNames(family, planes) {
  if (!isBits(family)) return [{ text: "label", look: "" }];
  return Array.from({ length: planes ?? 1 }, (_, i) => ({ text: `plane ${i + 1}${family === "bits6" ? " →←" : ""}`, look: planeClass(i + 1) }));
}
