// @ts-check
// Which arcs may share a plane: two that cross and point the same way may not.

/** @typedef {import("../types").Ends} Ends */

/** Whether two arcs cross: exactly one end of the one lies strictly inside the other. @param {Ends} a @param {Ends} b */
function crosses(a, b) {
  const [left, right] = [Math.min(a.head, a.dependent), Math.max(a.head, a.dependent)];
  const [low, high] = [Math.min(b.head, b.dependent), Math.max(b.head, b.dependent)];
  return (left < low && low < right && right < high) || (low < left && left < high && high < right);
}

/** Whether two arcs point the same way. @param {Ends} a @param {Ends} b */
function sameWay(a, b) {
  return a.head < a.dependent === b.head < b.dependent;
}

/** The plane of each arc, from 1: in the order of dependents, the first plane with no conflict. @param {Ends[]} arcs */
export function assignPlanes(arcs) {
  const order = arcs.map((_, i) => i).sort((i, j) => arcs[i].dependent - arcs[j].dependent || arcs[i].head - arcs[j].head);
  /** @type {Ends[][]} */
  const planes = [];
  /** @type {number[]} */
  const numbers = new Array(arcs.length).fill(1);
  for (const i of order) {
    let plane = planes.findIndex((taken) => !taken.some((other) => sameWay(other, arcs[i]) && crosses(other, arcs[i])));
    if (plane < 0) plane = planes.push([]) - 1;
    planes[plane].push(arcs[i]);
    numbers[i] = plane + 1;
  }
  return numbers;
}
