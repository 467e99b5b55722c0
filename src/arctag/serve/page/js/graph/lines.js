// @ts-check
// The outlines of arcs, as SVG path data. `sign` is -1 above the words and 1 below them; `ground` is where their feet are.

/** @typedef {import("../types").Bridge} Bridge */
/** @typedef {{ sign: number, ground: number, labelHeight: number }} Side */

const TIP = { length: 7, half: 3.2 };
const CORNER = 13;

/** A number as pictures write it. @param {number} number */
export function rounded(number) {
  return String(Math.round(number * 10) / 10);
}

const n = rounded;

/** The y of what is that far from the words. @param {Side} side @param {number} distance */
export const yOf = (side, distance) => side.ground + side.sign * distance;

/**
 * Up from the head, round the corner, along the deck and down to the dependent's arrowhead; an end on another line has no
 * leg: the deck begins or ends at the border.
 *
 * @param {Bridge} bridge @param {Side} side
 */
export function bridgeLine(bridge, side) {
  const [start, end] = [bridge.headX, bridge.dependentX];
  const deck = bridge.narrow ? bridge.y - side.labelHeight / 2 : bridge.y; // a label that is wider sits on top
  const corner = Math.min(CORNER, Math.abs(end - start) / 2);
  const inward = start < end ? corner : -corner;
  const top = n(yOf(side, deck));
  const down = n(yOf(side, deck - Math.min(corner * 1.15, deck - TIP.length)));
  const rise = `M${n(start)} ${n(yOf(side, 1))}V${down}Q${n(start)} ${top} ${n(start + inward)} ${top}`;
  const fall = `H${n(end - inward)}Q${n(end)} ${top} ${n(end)} ${down}V${n(yOf(side, TIP.length))}`;
  return (bridge.headAway ? `M${n(start)} ${top}` : rise) + (bridge.dependentAway ? `H${n(end)}` : fall);
}

/** Straight from the label to the word. @param {Bridge} bridge @param {Side} side */
export function rootLine(bridge, side) {
  return `M${n(bridge.dependentX)} ${n(yOf(side, bridge.y - side.labelHeight / 2))}V${n(yOf(side, TIP.length))}`;
}

/** An arrowhead that touches the word; a shape, since markers do not take the arc's colour everywhere. @param {number} x @param {Side} side */
export function tip(x, side) {
  const [back, notch] = [n(yOf(side, TIP.length + 1)), n(yOf(side, TIP.length - 1))];
  return `M${n(x)} ${n(yOf(side, 0))}L${n(x - TIP.half)} ${back}Q${n(x)} ${notch} ${n(x + TIP.half)} ${back}Z`;
}

/**
 * A bracket at the left of words that stand below each other: from the head to the left, along the upright, and back to
 * the dependent's arrowhead.
 *
 * @param {{ headY: number, dependentY: number, level: number }} bracket @param {number} right @param {number} step
 */
export function bracketLine({ headY, dependentY, level }, right, step) {
  const x = right - level * step;
  const corner = Math.min(5, Math.abs(dependentY - headY) / 2, step);
  const inward = headY < dependentY ? corner : -corner;
  return `M${n(right + 4)} ${n(headY)}H${n(x + corner)}Q${n(x)} ${n(headY)} ${n(x)} ${n(headY + inward)}`
    + `V${n(dependentY - inward)}Q${n(x)} ${n(dependentY)} ${n(x + corner)} ${n(dependentY)}H${n(right)}`;
}

/** The arrowhead of a bracket. @param {number} right @param {number} y */
export function bracketTip(right, y) {
  return `M${n(right + TIP.length)} ${n(y)}L${n(right - 1)} ${n(y - TIP.half)}Q${n(right + 1)} ${n(y)} ${n(right - 1)} ${n(y + TIP.half)}Z`;
}
