// The outlines of arcs, as SVG path data; y is negative above the words.
import { SPACE } from "./layout.js";

const TIP = { length: 7, half: 3.2 };
const CORNER = 13;

/** A number as pictures write it. */
export function rounded(number) {
  return String(Math.round(number * 10) / 10);
}

const n = rounded;

/** Up from the head, round the corner, along the deck and down to the dependent's arrowhead. */
export function bridgeLine(bridge, loop) {
  const [start, end] = [bridge.headX, bridge.dependentX];
  const top = loop ? -bridge.y + SPACE.labelHeight / 2 : -bridge.y; // a loop's label sits on top: it is wider than the loop
  const corner = Math.min(CORNER, Math.abs(end - start) / 2);
  const inward = start < end ? corner : -corner;
  const down = top + Math.min(corner * 1.15, bridge.y - TIP.length);
  return `M${n(start)} -1V${n(down)}Q${n(start)} ${n(top)} ${n(start + inward)} ${n(top)}`
    + `H${n(end - inward)}Q${n(end)} ${n(top)} ${n(end)} ${n(down)}V${n(-TIP.length)}`;
}

/** Straight down from the label. */
export function rootLine(bridge) {
  return `M${n(bridge.dependentX)} ${n(-bridge.y + SPACE.labelHeight / 2)}V${n(-TIP.length)}`;
}

/** An arrowhead that touches the word; a shape, since markers do not take the arc's colour everywhere. */
export function tip(x) {
  return `M${n(x)} 0L${n(x - TIP.half)} ${n(-TIP.length - 1)}Q${n(x)} ${n(-TIP.length + 1)} ${n(x + TIP.half)} ${n(-TIP.length - 1)}Z`;
}
