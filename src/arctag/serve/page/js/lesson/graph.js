// The graph under study: words and arcs, changed only by making a new one.

/** A graph from words and [head, dependent, …relations] rows; arcs that no sentence can have are left out. */
export function makeGraph(words, rows) {
  const arcs = new Map();
  for (const [head, dependent, ...relations] of rows) {
    const fits = Number.isInteger(head) && Number.isInteger(dependent) && head >= 0 && head <= words.length && dependent > 0 && dependent <= words.length;
    if (fits) arcs.set(`${head} ${dependent}`, { head, dependent, relations: relations.map(String) });
  }
  return sorted({ words: words.map(String), arcs: [...arcs.values()] });
}

/** Arcs stand by dependent, then head: the order in which the service answers. */
function sorted({ words, arcs }) {
  return { words, arcs: [...arcs].sort((a, b) => a.dependent - b.dependent || a.head - b.head) };
}

const same = (arc, head, dependent) => arc.head === head && arc.dependent === dependent;

/** Whether the graph has this arc. */
export function hasArc(graph, head, dependent) {
  return graph.arcs.some((arc) => same(arc, head, dependent));
}

/** The graph with one more arc. */
export function withArc(graph, head, dependent) {
  if (hasArc(graph, head, dependent)) return graph;
  return sorted({ words: graph.words, arcs: [...graph.arcs, { head, dependent, relations: [] }] });
}

/** The graph with this head of a word in place of any others. */
export function withHead(graph, head, dependent) {
  return withArc({ words: graph.words, arcs: graph.arcs.filter((arc) => arc.dependent !== dependent) }, head, dependent);
}

/** The graph without an arc. */
export function withoutArc(graph, head, dependent) {
  return { words: graph.words, arcs: graph.arcs.filter((arc) => !same(arc, head, dependent)) };
}

/** The graph over other words; arcs to words that are gone go too. */
export function withWords(graph, words) {
  const stays = (word) => word <= words.length;
  return { words, arcs: graph.arcs.filter((arc) => stays(arc.head) && stays(arc.dependent)) };
}

/** The rows from which `makeGraph` makes the graph again. */
export function rowsOf(graph) {
  return graph.arcs.map((arc) => [arc.head, arc.dependent, ...arc.relations]);
}
