// One sentence as an SVG picture: arcs above the words, notes below them.
import { s } from "../ui/dom.js";
import { layOut, SPACE } from "./layout.js";
import { legendOf, legendPlaces, LEGEND_ROW } from "./legend.js";
import { bridgeLine, rootLine, rounded as n, tip } from "./lines.js";
import { SIZES, widthOf } from "./measure.js";

const PLANE_STYLES = 6; // as many as the style sheet has; the next plane looks like the first again

const MARGIN = 14;
const WORD_ROW = 30;
const NOTE_ROWS = { code: 18, small: 14 };
const GUTTER = 24;
const MIN_LEGEND = 300;

/** The class that colours a plane. */
export function planeClass(plane) {
  return `plane-${((plane - 1) % PLANE_STYLES) + 1}`;
}

/**
 * Draw a scene: { words, edges, marks?, notes?, noteKind?, noteNames?, root?, rtl?, legend? }.
 *
 * An edge has head, dependent, label and a class `look`; `opacity` if it is less certain. `marks` are classes
 * for words; `notes[i]` are the lines below word i, each a list of { text, look }; `noteNames` names the lines, likewise,
 * and `noteKind` is the font of both: "code", or "small" for what is beside the point.
 * With `root` there is a place for the root at the start, from which arcs can be drawn.
 */
export function drawPicture(scene) {
  const notes = scene.notes ?? scene.words.map(() => []);
  const kind = scene.noteKind ?? "code";
  const noteWidth = (line) => line.reduce((sum, part) => sum + widthOf(part.text, kind), 0);
  const wordWidths = scene.words.map((word, i) => Math.max(widthOf(word, "word"), ...notes[i].map(noteWidth)) + 4);
  const labelWidths = scene.edges.map((edge) => (edge.label ? widthOf(edge.label, "relation") + 8 : 0));
  const layout = layOut(wordWidths, scene.edges, labelWidths, scene.rtl);
  const gutter = gutterWidth(scene);
  const rows = Math.max(0, ...notes.map((lines) => lines.length));
  const below = rows * NOTE_ROWS[kind];
  const ground = MARGIN + Math.max(layout.height, scene.minHeight ?? 0);
  const foot = ground + WORD_ROW + below + (rows ? 6 : 0);
  const legend = legendPlaces(scene.legend ?? legendOf(scene.edges), Math.max(layout.width + gutter, MIN_LEGEND));
  const width = Math.max(layout.width + gutter, ...legend.map((entry) => entry.x + entry.width)) + 2 * MARGIN;
  const height = foot + (legend.length ? legend.at(-1).y + LEGEND_ROW + 8 : 0) + MARGIN / 2;
  const origin = MARGIN + (scene.rtl ? 0 : gutter);

  const arcs = scene.edges.map((edge, i) => drawArc(edge, layout.bridges[i], i));
  const words = scene.words.map((word, i) => drawWord(scene, i, layout.centres[i], wordWidths[i], notes[i], kind, below));
  const behindFirst = arcs.map((_, i) => i).sort((i, j) => layout.bridges[j].level - layout.bridges[i].level);
  const rootX = scene.rtl ? layout.width + gutter / 2 : -gutter / 2;
  const root = scene.root ? drawRoot(rootX, gutter) : null;
  const stage = s("g", { transform: `translate(${n(origin)} ${n(ground)})` },
    behindFirst.map((i) => arcs[i]), root, words, noteNames(scene, rootX));
  const svg = s("svg", {
    class: "picture", width: n(width), height: n(height), viewBox: `0 0 ${n(width)} ${n(height)}`, "aria-hidden": "true",
  }, s("rect", { class: "paper", width: n(width), height: n(height) }), stage, drawLegend(legend, foot));
  return {
    svg, stage, arcs, words, root, scene, size: { width, height }, scale: 1,
    wordX: (i) => (i === 0 ? rootX : layout.centres[i - 1]),
    boxX: (i) => origin + (i === 0 ? rootX : layout.centres[i - 1]),
  };
}

function gutterWidth(scene) {
  const names = (scene.noteNames ?? []).map((name) => widthOf(name.text, "small"));
  const widest = Math.max(scene.root ? widthOf("root", "word") + 12 : 0, ...names);
  return widest ? widest + GUTTER : 0;
}

function drawArc(edge, bridge, i) {
  const loop = edge.head === edge.dependent;
  const d = edge.head === 0 ? rootLine(bridge) : bridgeLine(bridge, loop);
  return s("g", { class: `arc ${edge.look}`, "data-arc": i, opacity: edge.opacity },
    s("path", { class: "hit", d }),
    s("path", { class: "line", d }),
    s("path", { class: "tip", d: tip(bridge.dependentX) }),
    edge.label ? drawLabel(edge, bridge) : null);
}

/** The relation on a background, so that no line runs through it. */
function drawLabel(edge, bridge) {
  const place = {
    x: n(bridge.middle - bridge.labelWidth / 2 + 1), y: n(-bridge.y - SPACE.labelHeight / 2),
    width: n(bridge.labelWidth - 2), height: SPACE.labelHeight, rx: 4,
  };
  return s("g", { class: edge.head === 0 ? "label framed" : "label" },
    s("rect", place),
    s("text", { x: n(bridge.middle), y: n(-bridge.y + SIZES.relation * 0.36) }, edge.label));
}

/** Where the text of a line below the words stands. */
const noteY = (row, kind) => WORD_ROW + row * NOTE_ROWS[kind] + (kind === "small" ? 8 : 12);

function drawWord(scene, i, x, width, lines, kind, below) {
  const looks = ["word", ...(scene.marks?.[i] ?? [])].join(" ");
  return s("g", { class: looks, "data-word": i + 1 },
    s("rect", { class: "hit", x: n(x - width / 2 - 4), y: 1, width: n(width + 8), height: WORD_ROW - 3 + below, rx: 6 }),
    s("text", { x: n(x), y: 21 }, scene.words[i]),
    lines.map((line, row) => s("text", { class: `note ${kind}`, "data-row": row, x: n(x), y: noteY(row, kind) },
      line.map((part) => s("tspan", { class: part.look }, part.text)))));
}

function drawRoot(x, width) {
  return s("g", { class: "word root-place", "data-word": 0 },
    s("rect", { class: "hit", x: n(x - width / 2 + GUTTER / 2), y: 3, width: n(width - GUTTER), height: WORD_ROW - 6, rx: 6 }),
    s("text", { x: n(x), y: 19.5 }, "root"));
}

function noteNames(scene, x) {
  return (scene.noteNames ?? []).map((name, row) =>
    s("text", { class: `note-name ${name.look}`, x: n(x), y: noteY(row, scene.noteKind ?? "code") }, name.text));
}

function drawLegend(legend, top) {
  if (!legend.length) return null;
  return s("g", { class: "legend", transform: `translate(${MARGIN} ${n(top + 14)})` }, legend.map((entry) =>
    s("g", { class: `arc ${entry.look}` },
      s("path", { class: "line", d: `M${n(entry.x)} ${n(entry.y)}h24` }),
      s("text", { x: n(entry.x + 31), y: n(entry.y + 4) }, entry.text))));
}
