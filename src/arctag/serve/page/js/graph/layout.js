// Where everything goes: words on a line, arcs on levels above it. x grows to the right, y upwards.
// `arctag/draw/layout.py` does the same in Python; tests/draw/test_page_layout.py holds the two equal.
//
// An arc is a flat bridge: two legs and, at its level, a deck with the label. Three rules keep the picture readable:
// - every arc has its own attachment points, ordered so that arcs from one word do not cross there;
// - words stand far enough apart for every deck to hold its label;
// - an arc lies above every shorter arc whose range it shares, so decks on one level never meet.
// From the last two it follows that no two labels overlap.
import { attach } from "./attachments.js";
import { labelCentres, stack } from "./levels.js";

export const SPACE = { gap: 16, slot: 8.5, pad: 7, first: 28, step: 21, labelHeight: 16 };

const isLoop = (edge) => edge.head === edge.dependent;

/** The leftmost middle of each word that leaves room for its neighbour and for every label. */
function centresOf(halves, edges, labels, offsets) {
  const ending = halves.map(() => []);
  edges.forEach((edge, i) => {
    if (edge.head === 0 || isLoop(edge)) return;
    const rightwards = edge.head < edge.dependent;
    const [start, end] = rightwards ? [edge.head, edge.dependent] : [edge.dependent, edge.head];
    const inward = rightwards ? offsets.dependent[i] - offsets.head[i] : offsets.head[i] - offsets.dependent[i];
    ending[end - 1].push([start - 1, labels[i] + 2 * SPACE.pad - inward]);
  });
  const centres = [halves[0]];
  for (let word = 1; word < halves.length; word += 1) {
    const beside = centres[word - 1] + halves[word - 1] + SPACE.gap + halves[word];
    centres.push(ending[word].reduce((x, [start, room]) => Math.max(x, centres[start] + room), beside));
  }
  return centres;
}

/** From where to where an arc and its label reach; only roots and loops have labels wider than themselves. */
function rangesOf(edges, headX, dependentX, labels) {
  return edges.map((edge, i) => {
    const middle = (headX[i] + dependentX[i]) / 2;
    const reach = edge.head === 0 || isLoop(edge) ? labels[i] / 2 + SPACE.pad : 0;
    return {
      left: Math.min(headX[i], dependentX[i], middle - reach),
      right: Math.max(headX[i], dependentX[i], middle + reach),
      last: edge.head === 0 ? 1 : 0,
    };
  });
}

/** Shift everything so that the leftmost thing, be it a word or a label, is at 0; mirror it for right-to-left scripts. */
function settle(centres, halves, bridges, mirrored) {
  const left = Math.min(0, ...bridges.map((b) => b.middle - b.labelWidth / 2));
  const right = Math.max(centres.at(-1) + halves.at(-1), ...bridges.map((b) => b.middle + b.labelWidth / 2));
  const width = right - left;
  const place = mirrored ? (x) => width - (x - left) : (x) => x - left;
  return {
    width,
    centres: centres.map(place),
    bridges: bridges.map((b) => ({ ...b, headX: place(b.headX), dependentX: place(b.dependentX), middle: place(b.middle) })),
  };
}

/** Place the words (given by their widths) and the edges of a sentence (given with the widths of their labels). */
export function layOut(widths, edges, labelWidths, mirrored = false) {
  if (!widths.length) return { width: 0, height: 0, centres: [], bridges: [] };
  const offsets = attach(widths.length, edges, SPACE.slot);
  const halves = widths.map((width, i) => Math.max(width, (offsets.legs[i + 1] - 1) * SPACE.slot) / 2);
  edges.forEach((edge, i) => {
    if (isLoop(edge)) halves[edge.dependent - 1] = Math.max(halves[edge.dependent - 1], labelWidths[i] / 2);
  });
  const centres = centresOf(halves, edges, labelWidths, offsets);
  const dependentX = edges.map((edge, i) => centres[edge.dependent - 1] + offsets.dependent[i]);
  const headX = edges.map((edge, i) => (edge.head === 0 ? dependentX[i] : centres[edge.head - 1] + offsets.head[i]));
  const levels = stack(rangesOf(edges, headX, dependentX, labelWidths));
  const middles = labelCentres(edges, headX, dependentX, levels, labelWidths, SPACE.pad);
  const bridges = edges.map((edge, i) => ({
    headX: headX[i],
    dependentX: dependentX[i],
    middle: middles[i],
    labelWidth: labelWidths[i],
    level: levels[i],
    y: SPACE.first + (levels[i] - 1) * SPACE.step,
  }));
  const height = Math.max(0, ...bridges.map((bridge) => bridge.y + SPACE.labelHeight / 2));
  return { ...settle(centres, halves, bridges, mirrored), height };
}
