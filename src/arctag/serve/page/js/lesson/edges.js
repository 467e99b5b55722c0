// All arcs that decoding can show: those of the graph, null arcs, and those that changed labels add; each has its step.
import { planeClass } from "../graph/picture.js";
import { relationText } from "../graph/scene.js";

const key = (arc) => `${arc.head} ${arc.dependent}`;

/**
 * The arcs that the steps add, and the null arcs: by their ends, with the plane and the first step, from 1.
 *
 * `gone` is the step that takes an arc away again, where a tree is repaired.
 */
function decodedArcs(steps) {
  const decoded = new Map();
  const empty = new Map();
  steps.forEach((step, i) => {
    const put = (into, arc) => { if (!into.has(key(arc)) || into.get(key(arc)).gone) into.set(key(arc), { ...arc, step: i + 1 }); };
    (step.lost_arcs ?? []).forEach((arc) => { decoded.get(key(arc)).gone = i + 1; });
    step.new_arcs.forEach((arc) => put(decoded, arc));
    step.null_arcs.forEach((arc) => put(empty, arc));
  });
  return { decoded, empty };
}

/**
 * The edges of the picture.
 *
 * `encoded` is the service's answer for the graph, `traced` that for the labels (which may have been
 * changed by hand). An edge's `step` is the one that adds it; Infinity if none does.
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
      head: arc.head, dependent: arc.dependent, kind: covered ? "covered" : "lost", why: encoded.why?.[i] ?? "",
      step: arcOfStep?.step ?? Infinity, gone: arcOfStep?.gone ?? Infinity, plane: arcOfStep?.plane ?? 0,
      label: covered ? relation : `✕ ${relation}`.trim(),
      look: covered ? planeClass(arcOfStep.plane) : "lost",
    };
  });
  const added = [...decoded.values()].filter((arc) => !arc.gone).map((arc) => ({ ...arc, kind: "added", label: "+", look: "added" }));
  const nulls = showNulls ? [...empty.values()].map((arc) => ({ ...arc, kind: "null", label: "", look: "null" })) : [];
  return [...own, ...added, ...nulls];
}

/** What the colours mean, for the legend. */
export function lessonLegend(edges) {
  const used = new Set(edges.filter((edge) => edge.kind === "covered").map((edge) => edge.plane));
  const shown = used.size > 1 ? [...used].sort().map((plane) => ({ look: planeClass(plane), text: `plane ${plane}` })) : [];
  const has = (kind) => edges.some((edge) => edge.kind === kind);
  return [
    ...shown,
    ...(has("lost") ? [{ look: "lost", text: "not covered" }] : []),
    ...(has("added") ? [{ look: "added", text: "not in the graph" }] : []),
    ...(has("null") ? [{ look: "null", text: "null arc" }] : []),
  ];
}
