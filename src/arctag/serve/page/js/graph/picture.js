// @ts-check
// One sentence as an SVG picture: words on lines, arcs above and below them.
import { s } from "../ui/dom.js";
import { COMPACT, layOut, SPACE } from "./layout.js";
import { legendOf, legendPlaces, LEGEND_ROW } from "./legend.js";
import { bridgeLine, rootLine, rounded as n, tip, yOf } from "./lines.js";
import { SIZES, widthOf } from "./measure.js";

/** @typedef {import("../types").Edge} Edge */
/** @typedef {import("../types").Bridge} Bridge */
/** @typedef {import("../types").Line} Line */
/** @typedef {import("./lines.js").Side} Side */
/** @template {Edge} E @typedef {import("../types").Scene<E>} Scene */

const MARGIN = 14;
const WORD_ROW = 30;
const NOTE_ROWS = { code: 18, small: 14 };
const GUTTER = 24;
const MIN_LEGEND = 300;
const LINE_GAP = 18; // between wrapped lines

/**
 * Draw a scene; on several lines where it is wider than `room`.
 *
 * @template {Edge} E
 * @param {Scene<E>} scene
 * @param {{ room?: number | null, compact?: boolean }} options
 * @returns {import("../types").Picture<E>}
 */
export function drawPicture(scene, { room = null, compact = false } = {}) {
  const space = compact ? COMPACT : SPACE;
  const notes = scene.notes ?? scene.words.map(() => []);
  const kind = scene.noteKind ?? "code";
  const below = scene.below ?? [];
  const gutter = gutterWidth(scene);
  const widths = scene.words.map((word, i) => Math.max(widthOf(word, "word"), ...notes[i].map((line) => noteWidth(line, kind))) + 4);
  const lines = layOut(widths, scene.edges, scene.edges.map(labelWidth), {
    mirrored: scene.rtl, space, room: room === null ? null : room - 2 * MARGIN - gutter, below: { edges: below, labelWidths: below.map(labelWidth) },
  });
  const rows = Math.max(0, ...notes.map((line) => line.length)) * NOTE_ROWS[kind];
  const rootX = scene.rtl ? lines[0].width + gutter / 2 : -gutter / 2;

  /** @type {SVGElement[][]} */
  const arcs = scene.edges.map(() => []);
  /** @type {SVGElement[][]} */
  const under = below.map(() => []);
  /** @type {SVGElement[]} */
  const words = [];
  /** @type {{ x: number, y: number }[]} */
  const places = [];
  const drawn = [];
  let top = 0;
  for (const line of lines) {
    const ground = top + line.height;
    const foot = ground + WORD_ROW + rows + (rows ? 4 : 0);
    const above = line.bridges.map((bridge) => drawArc(scene.edges[bridge.edge], bridge, { sign: -1, ground, labelHeight: space.labelHeight }, "arc"));
    const lower = line.below.map((bridge) => drawArc(below[bridge.edge], bridge, { sign: 1, ground: foot, labelHeight: space.labelHeight }, "below"));
    line.bridges.forEach((bridge, i) => { arcs[bridge.edge].push(above[i]); });
    line.below.forEach((bridge, i) => { under[bridge.edge].push(lower[i]); });
    const own = line.centres.map((x, i) => drawWord(scene, line.first + i, x, ground, widths[line.first + i], notes[line.first + i], kind, rows));
    words.push(...own);
    places.push(...line.centres.map((x) => ({ x, y: ground })));
    drawn.push(behindFirst(line.bridges, above), behindFirst(line.below, lower), own);
    top = foot + line.depth + LINE_GAP;
  }
  const ground = places[0]?.y ?? 0;
  const root = scene.root ? drawRoot(rootX, ground, gutter) : null;
  const stage = s("g", { transform: `translate(${n(MARGIN + (scene.rtl ? 0 : gutter))} ${MARGIN})` }, root, drawn, noteNames(scene, rootX, ground));
  const { svg, size } = finish(scene, stage, lines[0].width + gutter, top - LINE_GAP, "picture");
  const origin = MARGIN + (scene.rtl ? 0 : gutter);
  return {
    svg, stage, arcs, below: under, words, root, scene, size, scale: 1,
    place: (word) => ({ x: origin + (word === 0 ? rootX : places[word - 1].x), y: MARGIN + (word === 0 ? ground : places[word - 1].y) }),
  };
}

/**
 * The whole picture: paper, what is drawn, and the legend below it.
 *
 * @template {Edge} E
 * @param {Scene<E>} scene @param {SVGElement} stage @param {number} contentWidth @param {number} contentHeight @param {string} look
 */
export function finish(scene, stage, contentWidth, contentHeight, look) {
  const entries = [...(scene.legend ?? legendOf(scene.edges)), ...(scene.below?.length ? [{ look: "under", text: `${scene.layer}, below the words` }] : [])];
  const legend = legendPlaces(entries, Math.max(contentWidth, MIN_LEGEND));
  const width = Math.max(contentWidth, ...legend.map((entry) => entry.x + entry.width)) + 2 * MARGIN;
  const last = legend.at(-1);
  const height = MARGIN + contentHeight + (last ? last.y + LEGEND_ROW + 14 : 0) + MARGIN / 2;
  const svg = s("svg", {
    class: look, width: n(width), height: n(height), viewBox: `0 0 ${n(width)} ${n(height)}`, "aria-hidden": "true",
  }, s("rect", { class: "paper", width: n(width), height: n(height) }), stage, legend.length ? drawLegend(legend, MARGIN + contentHeight + 6) : null);
  return { svg, size: { width, height } };
}

const labelWidth = (/** @type {Edge} */ edge) => (edge.label ? widthOf(edge.label, "relation") + 8 : 0);

/** @param {import("../types").NotePart[]} line @param {"code" | "small"} kind */
function noteWidth(line, kind) {
  return line.reduce((sum, part) => sum + widthOf(part.text, kind), 0);
}

/** The elements of arcs, far ones first: their legs run behind the labels of nearer ones. @param {Bridge[]} bridges @param {SVGElement[]} elements */
function behindFirst(bridges, elements) {
  return elements.map((_, i) => i).sort((i, j) => bridges[j].level - bridges[i].level).map((i) => elements[i]);
}

/** @param {Scene<any>} scene */
function gutterWidth(scene) {
  const names = (scene.noteNames ?? []).map((name) => widthOf(name.text, "small"));
  const widest = Math.max(scene.root ? widthOf("root", "word") + 12 : 0, ...names);
  return widest ? widest + GUTTER : 0;
}

/** @param {Edge} edge @param {Bridge} bridge @param {Side} side @param {string} kind */
function drawArc(edge, bridge, side, kind) {
  const d = edge.head === 0 ? rootLine(bridge, side) : bridgeLine(bridge, side);
  return s("g", { class: `arc ${edge.look}`, [`data-${kind}`]: bridge.edge, opacity: edge.opacity },
    s("path", { class: "hit", d }),
    s("path", { class: "line", d }),
    bridge.dependentAway ? null : s("path", { class: "tip", d: tip(bridge.dependentX, side) }),
    edge.label ? drawLabel(edge, bridge, side) : null);
}

/** The relation on a background, so that no line runs through it. @param {Edge} edge @param {Bridge} bridge @param {Side} side */
function drawLabel(edge, bridge, side) {
  const y = yOf(side, bridge.y);
  const place = {
    x: n(bridge.middle - bridge.labelWidth / 2 + 1), y: n(y - side.labelHeight / 2),
    width: n(bridge.labelWidth - 2), height: side.labelHeight, rx: 4,
  };
  return s("g", { class: edge.head === 0 ? "label framed" : "label" },
    s("rect", place),
    s("text", { x: n(bridge.middle), y: n(y + SIZES.relation * 0.36) }, edge.label));
}

/** Where the text of a line below the words stands. @param {number} row @param {"code" | "small"} kind */
const noteY = (row, kind) => WORD_ROW + row * NOTE_ROWS[kind] + (kind === "small" ? 8 : 12);

/**
 * @param {Scene<any>} scene @param {number} i @param {number} x @param {number} ground @param {number} width
 * @param {import("../types").NotePart[][]} lines @param {"code" | "small"} kind @param {number} rows
 */
function drawWord(scene, i, x, ground, width, lines, kind, rows) {
  const looks = ["word", ...(scene.marks?.[i] ?? [])].join(" ");
  return s("g", { class: looks, "data-word": i + 1 },
    s("rect", { class: "hit", x: n(x - width / 2 - 4), y: n(ground + 1), width: n(width + 8), height: WORD_ROW - 3 + rows, rx: 6 }),
    s("text", { x: n(x), y: n(ground + 21) }, scene.words[i]),
    lines.map((line, row) => s("text", { class: `note ${kind}`, "data-row": row, x: n(x), y: n(ground + noteY(row, kind)) },
      line.map((part) => s("tspan", { class: part.look }, part.text)))));
}

/** @param {number} x @param {number} ground @param {number} width */
function drawRoot(x, ground, width) {
  return s("g", { class: "word root-place", "data-word": 0 },
    s("rect", { class: "hit", x: n(x - width / 2 + GUTTER / 2), y: n(ground + 3), width: n(width - GUTTER), height: WORD_ROW - 6, rx: 6 }),
    s("text", { x: n(x), y: n(ground + 19.5) }, "root"));
}

/** @param {Scene<any>} scene @param {number} x @param {number} ground */
function noteNames(scene, x, ground) {
  return (scene.noteNames ?? []).map((name, row) =>
    s("text", { class: `note-name ${name.look}`, x: n(x), y: n(ground + noteY(row, scene.noteKind ?? "code")) }, name.text));
}

/** @param {ReturnType<typeof legendPlaces>} legend @param {number} top */
function drawLegend(legend, top) {
  return s("g", { class: "legend", transform: `translate(${MARGIN} ${n(top + 14)})` }, legend.map((entry) =>
    s("g", { class: `arc ${entry.look}` },
      s("path", { class: "line", d: `M${n(entry.x)} ${n(entry.y)}h24` }),
      s("text", { x: n(entry.x + 31), y: n(entry.y + 4) }, entry.text))));
}
