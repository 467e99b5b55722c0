// @ts-check
// What the colours of a picture mean, in rows below it.
import { widthOf } from "./measure.js";

/** @typedef {import("../types").LegendEntry} LegendEntry */

export const LEGEND_ROW = 18;

const SAMPLE = 31;
const GAP = 20;

const MEANINGS = [
  ["shared", "also in the tree"],
  ["further", "only in the graph"],
  ["correct", "correct"],
  ["relabelled", "right arc, wrong relation (−gold +predicted)"],
  ["missing", "missing: only in gold"],
  ["extra", "extra: only predicted"],
  ["unscored", "of an empty node: not scored"],
];

/** What a look means; empty for planes. @param {string} look */
export function meaningOfLook(look) {
  return MEANINGS.find(([known]) => known === look)?.[1] ?? "";
}

/** The entries that a picture with these edges needs; a single plane needs no explanation. @param {{ look: string }[]} edges @returns {LegendEntry[]} */
export function legendOf(edges) {
  const looks = new Set(edges.map((edge) => edge.look));
  const compared = MEANINGS.filter(([look]) => looks.has(look)).map(([look, text]) => ({ look, text }));
  if (compared.length) return compared.length === 1 && compared[0].look === "shared" ? [] : compared;
  const planes = [...looks].filter((look) => look.startsWith("plane-")).sort();
  return planes.length > 1 ? planes.map((look) => ({ look, text: look.replace("-", " ") })) : [];
}

/** The entries with their places, in rows no wider than `room` where possible. @param {LegendEntry[]} entries @param {number} room */
export function legendPlaces(entries, room) {
  let [x, y] = [0, 0];
  return entries.map((entry) => {
    const width = SAMPLE + widthOf(entry.text, "small");
    if (x > 0 && x + width > room) [x, y] = [0, y + LEGEND_ROW];
    const placed = { ...entry, x, y, width };
    x += width + GAP;
    return placed;
  });
}
