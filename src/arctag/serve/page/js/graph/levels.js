// @ts-check
// How high each arc lies, and where on it the label stands.

/**
 * A level from 1 for each range: one more than the highest one placed before that it meets.
 *
 * Those of small `length` are placed first; those marked `last` after all others.
 *
 * @param {{ left: number, right: number, length: number, last: number }[]} ranges
 */
export function stack(ranges) {
  const points = [...new Set(ranges.flatMap(({ left, right }) => [left, right]))].sort((a, b) => a - b);
  const index = new Map(points.map((point, i) => [point, i]));
  const heights = new Uint16Array(points.length);
  const levels = new Array(ranges.length).fill(0);
  const order = ranges.map((_, i) => i).sort((i, j) => {
    const [a, b] = [ranges[i], ranges[j]];
    return a.last - b.last || a.length - b.length || i - j;
  });
  for (const i of order) {
    const [start, end] = [index.get(ranges[i].left) ?? 0, index.get(ranges[i].right) ?? 0];
    let top = 0;
    for (let at = start; at <= end; at += 1) top = Math.max(top, heights[at]);
    levels[i] = top + 1;
    heights.fill(top + 1, start, end + 1);
  }
  return levels;
}

/**
 * The place nearest to the middle of left..right where `width` fits between the walls; else the middle.
 *
 * @param {number} left @param {number} right @param {number[]} walls @param {number} width @param {number} pad
 */
function nearestGap(left, right, walls, width, pad) {
  const middle = (left + right) / 2;
  const bounds = [left, ...walls, right];
  let best = null;
  for (let i = 0; i + 1 < bounds.length; i += 1) {
    const from = bounds[i] + width / 2 + pad;
    const to = bounds[i + 1] - width / 2 - pad;
    if (from > to) continue;
    const place = Math.min(Math.max(middle, from), to);
    if (best === null || Math.abs(place - middle) < Math.abs(best - middle)) best = place;
  }
  return best ?? middle;
}

/**
 * The middle of each label: that of its deck, or the nearest place where no leg of a higher arc runs through it.
 *
 * @param {{ headX: number, dependentX: number, headLeg: boolean, dependentLeg: boolean, fixed: boolean, middle: number, labelWidth: number }[]} parts
 * @param {number[]} levels
 * @param {number} pad
 */
export function labelCentres(parts, levels, pad) {
  const legs = parts.flatMap((part, i) => [
    ...(part.headLeg ? [{ x: part.headX, level: levels[i] }] : []),
    ...(part.dependentLeg ? [{ x: part.dependentX, level: levels[i] }] : []),
  ]).sort((a, b) => a.x - b.x);
  return parts.map((part, i) => {
    if (part.fixed) return part.middle;
    const [left, right] = [Math.min(part.headX, part.dependentX), Math.max(part.headX, part.dependentX)];
    const walls = legs.filter((leg) => leg.x > left && leg.x < right && leg.level > levels[i]).map((leg) => leg.x);
    return walls.length ? nearestGap(left, right, walls, part.labelWidth, pad) : part.middle;
  });
}
