// @ts-check
// Where everything goes in a vertical picture: a word on each row, the arcs as brackets at the left.
// `arctag/draw/vertical.py` does the same in Python.
import { attach } from "./attachments.js";
import { stack } from "./levels.js";

const STEEP = 0.7; // the part of a row's height that the ends of its arcs may take

/**
 * The arcs between words, on rows of that height, and how many levels they take; roots have no bracket.
 *
 * @param {number} n
 * @param {import("../types").Ends[]} edges
 * @param {number} row
 */
export function bracketsOf(n, edges, row) {
  const chosen = edges.map((_, i) => i).filter((i) => edges[i].head !== 0);
  const drawn = chosen.map((i) => edges[i]);
  const most = attach(n, drawn, 1).legs.slice(1).reduce((a, b) => Math.max(a, b), 1);
  const offsets = attach(n, drawn, Math.min((row * STEEP) / Math.max(1, most - 1), row / 6));
  const ends = drawn.map((edge, i) => ({
    edge: chosen[i], headY: (edge.head - 0.5) * row + offsets.head[i], dependentY: (edge.dependent - 0.5) * row + offsets.dependent[i],
  }));
  const levels = stack(ends.map(({ headY, dependentY }) => {
    const [left, right] = [Math.min(headY, dependentY), Math.max(headY, dependentY)];
    return { left, right, length: right - left, last: 0 };
  }));
  return { brackets: ends.map((end, i) => ({ ...end, level: levels[i] })), levels: Math.max(0, ...levels) };
}

/**
 * How many arcs each word is away from the root, or from a word that no arc leads to.
 *
 * @param {number} n
 * @param {import("../types").Ends[]} arcs
 */
export function depthsOf(n, arcs) {
  /** @type {number[][]} */
  const children = Array.from({ length: n + 1 }, () => []);
  const headed = new Set();
  for (const { head, dependent } of [...arcs].sort((a, b) => a.dependent - b.dependent || a.head - b.head)) {
    children[head].push(dependent);
    headed.add(dependent);
  }
  const starts = [...children[0], ...Array.from({ length: n }, (_, i) => i + 1).filter((word) => !headed.has(word))];
  /** @type {Map<number, number>} */
  const found = new Map(starts.map((word) => [word, 0]));
  const waiting = [...found.keys()];
  for (let at = 0; at < waiting.length; at += 1) {
    for (const child of children[waiting[at]]) {
      if (!found.has(child)) {
        found.set(child, (found.get(waiting[at]) ?? 0) + 1);
        waiting.push(child);
      }
    }
  }
  return Array.from({ length: n }, (_, i) => found.get(i + 1) ?? 0);
}
