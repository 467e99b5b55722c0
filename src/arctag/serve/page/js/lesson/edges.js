// @ts-check
// All arcs that decoding can show: those of the graph, null arcs, and those that changed labels add; each has its step.
import { planeClass, relationText } from "../graph/scene.js";

/** @typedef {import("../types").Ends} Ends */
/** @typedef {Ends & { plane: number }} Placed */
/** @typedef {{ word: number | null, label: string, part: string, pass: string, text: string, stacks: Record<string, number[]>, new_arcs: Placed[], null_arcs: Placed[], lost_arcs?: Placed[], repair?: boolean, why?: string }} Step */
/** @typedef {import("../types").Edge & { kind: "covered" | "lost" | "added" | "null", why?: string, step: number, gone?: number, plane: number }} LessonEdge */

const key = (/** @type {Ends} */ arc) => `${arc.head} ${arc.dependent}`;

/**
 * The arcs that the steps add, and the null arcs: by their ends, with the plane and the first step, from 1.
 *
 * `gone` is the step that takes an arc away again, where a tree is repaired.
 *
 * @param {Step[]} steps
 */
function decodedArcs(steps) {
  /** @typedef {Map<string, Placed & { step: number, gone?: number }>} Found */
  /** @type {Found} */
  const decoded = new Map();
  /** @type {Found} */
  const empty = new Map();
  for (const [i, step] of steps.entries()) {
    const put = (/** @type {Found} */ into, /** @type {Placed} */ arc) => {
      if (!into.has(key(arc)) || into.get(key(arc))?.gone) into.set(key(arc), { ...arc, step: i + 1 });
    };
    for (const arc of step.lost_arcs ?? []) {
      const known = decoded.get(key(arc));
      if (known) known.gone = i + 1;
    }
    for (const arc of step.new_arcs) put(decoded, arc);
    for (const arc of step.null_arcs) put(empty, arc);
  }
  return { decoded, empty };
}

/**
 * The edges of the picture.
 *
 * `encoded` is the service's answer for the graph, `traced` that for the labels (which may have been
 * changed by hand). An edge's `step` is the one that adds it; Infinity if none does.
 *
 * @param {import("./graph.js").Graph} graph @param {{ why?: (string | null)[] }} encoded @param {{ steps: Step[] }} traced
 * @param {{ showNulls: boolean, showRelations: boolean }} options
 * @returns {LessonEdge[]}
 */
export function lessonEdges(graph, encoded, traced, { showNulls, showRelations }) {
  const { decoded, empty } = decodedArcs(traced.steps);
  const own = graph.arcs.map((arc, i) => {
    const arcOfStep = decoded.get(key(arc));
    decoded.delete(key(arc));
    empty.delete(key(arc));
    const covered = arcOfStep !== undefined && !arcOfStep.gone;
    const relation = showRelations ? relationText(arc) : "";
    return {
      head: arc.head, dependent: arc.dependent, kind: /** @type {LessonEdge["kind"]} */ (covered ? "covered" : "lost"), why: encoded.why?.[i] ?? "",
      step: arcOfStep?.step ?? Infinity, gone: arcOfStep?.gone ?? Infinity, plane: arcOfStep?.plane ?? 0,
      label: covered ? relation : `✕ ${relation}`.trim(),
      look: covered ? planeClass(arcOfStep.plane) : "lost",
    };
  });

  const added = [...decoded.values()].filter((arc) => !arc.gone).map((arc) => ({ ...arc, kind: /** @type {const} */ ("added"), label: "+", look: "added" }));
  const nulls = showNulls ? [...empty.values()].map((arc) => ({ ...arc, kind: /** @type {const} */ ("null"), label: "", look: "null" })) : [];
  return [...own, ...added, ...nulls];
}

/** What the colours mean, for the legend. @param {LessonEdge[]} edges */
export function lessonLegend(edges) {
  const used = new Set(edges.filter((edge) => edge.kind === "covered").map((edge) => edge.plane));
  const shown = used.size > 1 ? [...used].sort().map((plane) => ({ look: planeClass(plane), text: `plane ${plane}` })) : [];
  const has = (/** @type {string} */ kind) => edges.some((edge) => edge.kind === kind);
  return [
    ...shown,
    ...(has("lost") ? [{ look: "lost", text: "not covered" }] : []),
    ...(has("added") ? [{ look: "added", text: "not in the graph" }] : []),
    ...(has("null") ? [{ look: "null", text: "null arc" }] : []),
  ];
}
