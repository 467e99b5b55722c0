// @ts-check
// Where on its word each arc stands.

/** @typedef {import("../types").Ends} Ends */
/** @typedef {{ place: number[], i: number, side: number[] }} Leg */

/**
 * The sorting key of a leg at the word `here`; of two arcs with the same ends the later is the outer.
 *
 * @param {Ends} edge @param {number} i @param {number} here @param {number} there
 */
function placeOf(edge, i, here, there) {
  const span = Math.abs(edge.head - edge.dependent);
  if (edge.head === 0) return [1, 0, i];
  if (there < here) return [0, span, i];
  if (there > here) return [2, -span, -i];
  return [3, 0, i];
}

const compare = (/** @type {Leg} */ a, /** @type {Leg} */ b) => a.place[0] - b.place[0] || a.place[1] - b.place[1] || a.place[2] - b.place[2];

/**
 * How far from the middle of its word the head's and the dependent's leg of each edge stand; and the legs per word.
 *
 * From left to right: arcs to the left, short before long; the root's; arcs to the right, long before
 * short; loops. Long arcs lie higher, so that no leg has to pass through a neighbour's deck.
 *
 * @param {number} n @param {Ends[]} edges @param {number} slot
 */
export function attach(n, edges, slot) {
  /** @type {Leg[][]} */
  const legs = Array.from({ length: n + 1 }, () => []);
  /** @type {number[]} */
  const head = new Array(edges.length).fill(0);
  /** @type {number[]} */
  const dependent = new Array(edges.length).fill(0);
  edges.forEach((edge, i) => {
    if (edge.head !== 0) legs[edge.head].push({ place: placeOf(edge, i, edge.head, edge.dependent), i, side: head });
    legs[edge.dependent].push({ place: placeOf(edge, i, edge.dependent, edge.head), i, side: dependent });
  });
  for (const here of legs) {
    here.sort(compare);
    here.forEach((leg, position) => { leg.side[leg.i] = (position - (here.length - 1) / 2) * slot; });
  }
  return { head, dependent, legs: legs.map((here) => here.length) };
}
