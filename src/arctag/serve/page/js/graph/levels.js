// How high each arc lies, and where on it the label stands.

/**
 * A level from 1 for each range: one more than the highest shorter range that it meets.
 *
 * Shorter ranges are placed first; those marked `last` after all others.
 */
export function stack(ranges) {
  const points = [...new Set(ranges.flatMap(({ left, right }) => [left, right]))].sort((a, b) => a - b);
  const index = new Map(points.map((point, i) => [point, i]));
  const heights = new Uint16Array(points.length);
  const levels = new Array(ranges.length).fill(0);
  const order = ranges.map((_, i) => i).sort((i, j) => {
    const [a, b] = [ranges[i], ranges[j]];
    return a.last - b.last || a.right - a.left - (b.right - b.left) || i - j;
  });
  for (const i of order) {
    const [start, end] = [index.get(ranges[i].left), index.get(ranges[i].right)];
    let top = 0;
    for (let at = start; at <= end; at += 1) top = Math.max(top, heights[at]);
    levels[i] = top + 1;
    heights.fill(top + 1, start, end + 1);
  }
  return levels;
}

/** The place nearest to the middle of left..right where `width` fits between the walls; else the middle. */
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

/** The middle of each label: that of its deck, or the nearest place where no leg of a higher arc runs through it. */
export function labelCentres(edges, headX, dependentX, levels, widths, pad) {
  const legs = edges.flatMap((edge, i) => {
    const own = { x: dependentX[i], level: levels[i] };
    return edge.head === 0 ? [own] : [own, { x: headX[i], level: levels[i] }];
  }).sort((a, b) => a.x - b.x);
  return edges.map((edge, i) => {
    const middle = (headX[i] + dependentX[i]) / 2;
    if (edge.head === 0 || edge.head === edge.dependent) return middle;
    const [left, right] = [Math.min(headX[i], dependentX[i]), Math.max(headX[i], dependentX[i])];
    const walls = legs.filter((leg) => leg.x > left && leg.x < right && leg.level > levels[i]).map((leg) => leg.x);
    return walls.length ? nearestGap(left, right, walls, widths[i], pad) : middle;
  });
}
