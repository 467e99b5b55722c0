// @ts-check
// How pictures are drawn: which of the graphs, and in which shape. What people choose is kept for their next visit.
import { graphTitle, MAIN } from "../graph/graphs.js";
import { keep, kept } from "../kept.js";
import { choice, menu, segments, tick } from "./controls.js";
import { h, refill } from "./dom.js";

/** @typedef {import("../types").Look} Look */

const KEY = "look";
const SHAPES = [["wrap", "Lines"], ["line", "One line"], ["fit", "Fit to width"], ["list", "List"]];
const COLOURS = [["tree", "What the tree lacks"], ["planes", "Planes"]];

/** @type {Look} */
const USUAL = { graph: MAIN, below: "", shape: "wrap", colours: "tree", compact: false, punctuation: true, lemmas: false };

/** The look to begin with: what was chosen last, apart from the graph. @returns {Look} */
export function firstLook() {
  try {
    const { shape, colours, compact, punctuation, lemmas } = JSON.parse(kept(KEY) ?? "{}");
    return {
      ...USUAL,
      ...(SHAPES.some(([name]) => name === shape) ? { shape } : {}),
      ...(COLOURS.some(([name]) => name === colours) ? { colours } : {}),
      compact: compact === true, punctuation: punctuation !== false, lemmas: lemmas === true,
    };
  } catch {
    return USUAL;
  }
}

/** Keep a look for the next visit. @param {Look} look */
export function keepLook({ shape, colours, compact, punctuation, lemmas }) {
  keep(KEY, JSON.stringify({ shape, colours, compact, punctuation, lemmas }));
}

/** A look that shows one of these graphs: the one wanted if it is there, else the first. @param {Look} look @param {string[]} names @returns {Look} */
export function settled(look, names) {
  const graph = names.includes(look.graph) ? look.graph : names[0] ?? MAIN;
  return { ...look, graph, below: names.includes(look.below) && look.below !== graph ? look.below : "" };
}

/**
 * The controls: the graphs side by side, and a menu for the rest. `onChange` is called with what changes; `offer` says which
 * graphs there are, and how pictures are drawn now.
 *
 * @param {(change: Partial<Look>) => void} onChange
 */
export function lookControls(onChange) {
  const graphs = h("div", { hidden: true });
  /** @type {string[]} */
  let offered = [];
  /** @type {{ element: HTMLElement, set: (chosen: string) => void } | null} */
  let made = null;
  let look = USUAL;

  const view = menu("View", () => [
    segments("Shape", SHAPES, look.shape, (shape) => onChange({ shape: /** @type {Look["shape"]} */ (shape) })).element,
    choice("Below", [["", "nothing"], ...offered.filter((name) => name !== look.graph).map((name) => [name, graphTitle(name)])], look.below, (below) => onChange({ below })).element,
    choice("Colours", COLOURS, look.colours, (colours) => onChange({ colours: /** @type {Look["colours"]} */ (colours) })).element,
    tick("Lemmas", look.lemmas, (lemmas) => onChange({ lemmas })).element,
    tick("Compact", look.compact, (compact) => onChange({ compact })).element,
    tick("Hide punctuation", !look.punctuation, (hidden) => onChange({ punctuation: !hidden })).element,
  ]);
  view.classList.add("look-menu");

  /** @param {string[]} names @param {Look} now */
  function offer(names, now) {
    look = now;
    if (names.join("\n") !== offered.join("\n")) {
      made = segments("Which arcs", names.map((name) => [name, graphTitle(name)]), now.graph, (graph) => onChange({ graph }));
      refill(graphs, made.element);
      offered = names;
    }
    made?.set(now.graph);
    graphs.hidden = names.length < 2;
  }

  return { elements: [graphs, view], offer };
}
