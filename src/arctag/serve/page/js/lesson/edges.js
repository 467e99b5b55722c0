// All arcs that decoding can show: those of the graph, null arcs, and what changed labels add; each knows its step.
import { planeClass } from "../graph/picture.js";
import { relationText } from "../graph/scene.js";

const key = (arc) => `${arc.head} ${arc.dependent}`;

/** The arcs that the steps make, and the null arcs: by their ends, with the plane and the first step, from 1. */
function madeArcs(steps) {
  const made = new Map();
  const empty = new Map();
  steps.forEach((step, i) => {
    const put = (into, arc) => { if (!into.has(key(arc))) into.set(key(arc), { ...arc, step: i + 1 }); };
    step.new_arcs.forEach((arc) => put(made, arc));
    step.null_arcs.forEach((arc) => put(empty, arc));
  });
  return { made, empty };
}

/**
 * The edges of the picture.
 *
 * `encoded` is the service's answer for the graph, `traced` that for the labels (which may have been
 * changed by hand). An edge's `step` is when it is made; Infinity if never.
 */
export function lessonEdges(graph, encoded, traced, { showNulls, showRelations }) {
  const { made, empty } = madeArcs(traced.steps);
  const given = graph.arcs.map((arc, i) => {
    const found = made.get(key(arc));
    made.delete(key(arc));
    empty.delete(key(arc));
    const covered = found !== undefined;
    const relation = showRelations ? relationText(arc) : "";
    return {
      head: arc.head, dependent: arc.dependent, kind: covered ? "given" : "lost", why: encoded.why?.[i] ?? "",
      step: found?.step ?? Infinity, plane: found?.plane ?? 0,
      label: covered ? relation : `✕ ${relation}`.trim(),
      look: covered ? planeClass(found.plane) : "lost",
    };
  });
  const added = [...made.values()].map((arc) => ({ ...arc, kind: "added", label: "+", look: "added" }));
  const nulls = showNulls ? [...empty.values()].map((arc) => ({ ...arc, kind: "null", label: "", look: "null" })) : [];
  return [...given, ...added, ...nulls];
}

/** What the colours mean, for the legend. */
export function lessonLegend(edges) {
  const used = new Set(edges.filter((edge) => edge.kind === "given").map((edge) => edge.plane));
  const shown = used.size > 1 ? [...used].sort().map((plane) => ({ look: planeClass(plane), text: `plane ${plane}` })) : [];
  const has = (kind) => edges.some((edge) => edge.kind === kind);
  return [
    ...shown,
    ...(has("lost") ? [{ look: "lost", text: "not covered" }] : []),
    ...(has("added") ? [{ look: "added", text: "only in the changed labels" }] : []),
    ...(has("null") ? [{ look: "null", text: "null arc" }] : []),
  ];
}
