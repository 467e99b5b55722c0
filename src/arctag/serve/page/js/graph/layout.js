// @ts-check
// Where everything goes: words on lines, arcs on levels above and below them. x grows to the right, y away from the words.
// `arctag/draw/layout.py` does the same in Python; tests/draw/test_page_layout.py holds the two equal.
//
// An arc is a flat bridge: two legs and, at its level, a deck with the label. Three rules keep the picture readable:
// - every arc has its own attachment points, ordered so that arcs from one word do not cross there;
// - a label that is wider than its deck sits on top of it;
// - an arc lies above every shorter arc whose range it shares, with its label if that is wider, so that neither decks
//   nor labels on one level ever meet.
//
// A long sentence can be wrapped into lines. An arc between two lines leaves the one at its border and comes into the
// other from there, and passes over those between them; each part has the label.
import { attach } from "./attachments.js";
import { labelCentres, stack } from "./levels.js";

/** @typedef {import("../types").Ends} Ends */
/** @typedef {import("../types").Space} Space */
/** @typedef {import("../types").Bridge} Bridge */
/** @typedef {import("../types").Line} Line */
/** @typedef {{ edges: Ends[], labels: number[], offsets: ReturnType<typeof attach> }} Side */

/** @type {Space} */
export const SPACE = { gap: 20, slot: 8.5, pad: 7, first: 28, step: 21, labelHeight: 16 };
/** @type {Space} */
export const COMPACT = { gap: 9, slot: 6.5, pad: 4, first: 22, step: 17, labelHeight: 14 };

const HALVINGS = 20; // until lines are as short as they can be, to a thousandth of a pixel

const isLoop = (/** @type {Ends} */ edge) => edge.head === edge.dependent;

/**
 * Half the room of each word: for its letters, for its legs, and the label of a loop.
 *
 * @param {number[]} widths @param {Side[]} sides @param {number} slot
 */
function halvesOf(widths, sides, slot) {
  const halves = widths.map((width, i) => Math.max(width, ...sides.map((side) => (side.offsets.legs[i + 1] - 1) * slot)) / 2);
  for (const { edges, labels } of sides) {
    edges.forEach((edge, i) => {
      if (isLoop(edge)) halves[edge.dependent - 1] = Math.max(halves[edge.dependent - 1], labels[i] / 2);
    });
  }
  return halves;
}

/**
 * The first word of each line if as many words as fit are put on each.
 *
 * @param {number[]} halves @param {number} gap @param {number} room
 */
function filled(halves, gap, room) {
  const starts = [0];
  let used = 2 * halves[0];
  for (let word = 1; word < halves.length; word += 1) {
    used += gap + 2 * halves[word];
    if (used > room) {
      starts.push(word);
      used = 2 * halves[word];
    }
  }
  return starts;
}

/**
 * The first word of each line: of as few lines as there can be, which are then made as short as they can be.
 *
 * @param {number[]} halves @param {number} gap @param {number} room
 */
function breaksOf(halves, gap, room) {
  let starts = filled(halves, gap, room);
  let [low, high] = [0, room];
  for (let i = 0; starts.length > 1 && i < HALVINGS; i += 1) {
    const middle = (low + high) / 2;
    const shorter = filled(halves, gap, middle);
    if (shorter.length > starts.length) low = middle;
    else [starts, high] = [shorter, middle];
  }
  return starts;
}

/**
 * The middle of each word, with the same gap between all of them.
 *
 * @param {number[]} halves @param {number} gap
 */
function centresOf(halves, gap) {
  const centres = [halves[0]];
  for (let word = 1; word < halves.length; word += 1) centres.push(centres[word - 1] + halves[word - 1] + gap + halves[word]);
  return centres;
}

/**
 * Where an end of an arc is: on its word or, if that is on another line, at a border.
 *
 * @param {number} word @param {number} offset @param {number} first @param {number[]} centres @param {number[]} borders
 */
function endOf(word, offset, first, centres, borders) {
  const place = word - 1 - first;
  if (place < 0) return { x: borders[0], here: false };
  return place < centres.length ? { x: centres[place] + offset, here: true } : { x: borders[1], here: false };
}

/**
 * Whether an arc, or a part of it, is on the line of the words from `first` to before `last`.
 *
 * @param {Ends} edge @param {number} first @param {number} last
 */
function isOn(edge, first, last) {
  const head = edge.head === 0 ? edge.dependent : edge.head;
  return Math.min(head, edge.dependent) <= last && Math.max(head, edge.dependent) > first;
}

/**
 * An arc, or its part on a line, before it has a level.
 *
 * @param {Side} side @param {number} i @param {number} first @param {number[]} centres @param {number[]} borders @param {Space} space
 */
function partOf(side, i, first, centres, borders, space) {
  const edge = side.edges[i];
  const labelWidth = side.labels[i];
  const root = edge.head === 0;
  const dependent = endOf(edge.dependent, side.offsets.dependent[i], first, centres, borders);
  const head = root ? { x: dependent.x, here: false } : endOf(edge.head, side.offsets.head[i], first, centres, borders);
  const narrow = isLoop(edge) || (!root && labelWidth + space.pad > Math.abs(head.x - dependent.x));
  const reach = narrow || root ? labelWidth / 2 + space.pad : 0;
  let middle = (head.x + dependent.x) / 2;
  if (narrow && !(head.here && dependent.here)) { // its label stays inside of the border
    middle = Math.min(Math.max(middle, borders[0] + labelWidth / 2), borders[1] - labelWidth / 2);
  }
  return {
    edge: i, headX: head.x, dependentX: dependent.x, middle, labelWidth, narrow, reach, last: root ? 1 : 0,
    headLeg: head.here, dependentLeg: dependent.here, fixed: narrow || root,
    headAway: !root && !head.here, dependentAway: !dependent.here,
  };
}

/**
 * The arcs, or parts of arcs, on the line that begins with the word `first`.
 *
 * @param {Side} side @param {number} first @param {number[]} centres @param {number[]} borders @param {Space} space
 * @returns {Bridge[]}
 */
function bridgesOf(side, first, centres, borders, space) {
  const chosen = side.edges.map((_, i) => i).filter((i) => isOn(side.edges[i], first, first + centres.length));
  const parts = chosen.map((i) => partOf(side, i, first, centres, borders, space));
  const levels = stack(parts.map(({ headX, dependentX, middle, reach, last }) => ({
    left: Math.min(headX, dependentX, middle - reach), right: Math.max(headX, dependentX, middle + reach), length: Math.abs(headX - dependentX), last,
  })));
  const middles = labelCentres(parts, levels, space.pad);
  return parts.map(({ edge, headX, dependentX, labelWidth, narrow, headAway, dependentAway }, i) => ({
    edge, headX, dependentX, labelWidth, narrow, headAway, dependentAway,
    middle: middles[i], level: levels[i], y: space.first + (levels[i] - 1) * space.step,
  }));
}

/**
 * Shift everything so that the leftmost thing, be it a word, a label or a deck, is at 0; mirror it for right-to-left scripts.
 *
 * @param {Line[]} lines @param {number} end @param {boolean} mirrored
 */
function settle(lines, end, mirrored) {
  const places = lines.flatMap((line) => [...line.bridges, ...line.below])
    .flatMap((b) => [b.middle - b.labelWidth / 2, b.middle + b.labelWidth / 2, b.headX, b.dependentX]);
  const left = places.reduce((a, b) => Math.min(a, b), 0);
  const width = places.reduce((a, b) => Math.max(a, b), end) - left;
  const place = mirrored ? (/** @type {number} */ x) => width - (x - left) : (/** @type {number} */ x) => x - left;
  const moved = (/** @type {Bridge} */ b) => ({ ...b, headX: place(b.headX), dependentX: place(b.dependentX), middle: place(b.middle) });
  return lines.map((line) => ({
    ...line, width, centres: line.centres.map(place), bridges: line.bridges.map(moved), below: line.below.map(moved),
  }));
}

/**
 * Place the words (given by their widths) and the edges of a sentence (given with the widths of their labels) on lines
 * that are no wider than `room` where possible; on one line without it. `below` is for edges below the words.
 *
 * @param {number[]} widths
 * @param {Ends[]} edges
 * @param {number[]} labelWidths
 * @param {{ mirrored?: boolean, room?: number | null, below?: { edges: Ends[], labelWidths: number[] }, space?: Space }} [options]
 * @returns {Line[]}
 */
export function layOut(widths, edges, labelWidths, { mirrored = false, room = null, below = { edges: [], labelWidths: [] }, space = SPACE } = {}) {
  if (!widths.length) return [{ first: 0, width: 0, height: 0, depth: 0, centres: [], bridges: [], below: [] }];
  const sides = [[edges, labelWidths], [below.edges, below.labelWidths]].map(([drawn, labels]) => (
    { edges: /** @type {Ends[]} */ (drawn), labels: /** @type {number[]} */ (labels), offsets: attach(widths.length, /** @type {Ends[]} */ (drawn), space.slot) }
  ));
  const halves = halvesOf(widths, sides, space.slot);
  const border = 2 * space.pad;
  const starts = room === null ? [0] : breaksOf(halves, space.gap, room - 2 * border);
  const ends = [...starts.slice(1), widths.length];
  const centres = starts.map((start, i) => centresOf(halves.slice(start, ends[i]), space.gap));
  const end = Math.max(...centres.map((places, i) => places[places.length - 1] + halves[ends[i] - 1]));
  const borders = [-border, end + border];
  const lines = starts.map((first, i) => {
    const [above, under] = sides.map((side) => bridgesOf(side, first, centres[i], borders, space));
    const reach = (/** @type {Bridge[]} */ bridges) => bridges.reduce((most, bridge) => Math.max(most, bridge.y + space.labelHeight / 2), 0);
    return { first, width: 0, height: reach(above), depth: reach(under), centres: centres[i], bridges: above, below: under };
  });
  return settle(lines, end, mirrored);
}
