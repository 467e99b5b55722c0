// @ts-check
// The graph under study: words and arcs, changed only by making a new one.

/** @typedef {import("../types").Arc} Arc */
/** @typedef {{ words: string[], arcs: Arc[] }} Graph */

/** A graph from words and [head, dependent, …relations] rows; arcs that no sentence can have are left out. @param {unknown[]} words @param {any[][]} rows @returns {Graph} */
export function makeGraph(words, rows) {
  /** @type {Map<string, Arc>} */
  const arcs = new Map();
  for (const [head, dependent, ...relations] of rows) {
    const fits = Number.isInteger(head) && Number.isInteger(dependent) && head >= 0 && head <= words.length && dependent > 0 && dependent <= words.length;
    if (fits) arcs.set(`${head} ${dependent}`, { head, dependent, relations: relations.map(String) });
  }
  return sorted({ words: words.map(String), arcs: [...arcs.values()] });
}

/** Arcs stand by dependent, then head: the order in which the service answers. @param {Graph} graph @returns {Graph} */
function sorted({ words, arcs }) {
  return { words, arcs: [...arcs].sort((a, b) => a.dependent - b.dependent || a.head - b.head) };
}

const same = (/** @type {Arc} */ arc, /** @type {number} */ head, /** @type {number} */ dependent) => arc.head === head && arc.dependent === dependent;

/** Whether the graph has this arc. @param {Graph} graph @param {number} head @param {number} dependent */
export function hasArc(graph, head, dependent) {
  return graph.arcs.some((arc) => same(arc, head, dependent));
}

/** The graph with one more arc. @param {Graph} graph @param {number} head @param {number} dependent */
export function withArc(graph, head, dependent) {
  if (hasArc(graph, head, dependent)) return graph;
  return sorted({ words: graph.words, arcs: [...graph.arcs, { head, dependent, relations: [] }] });
}

/** The graph with this head of a word in place of any others. @param {Graph} graph @param {number} head @param {number} dependent */
export function withHead(graph, head, dependent) {
  return withArc({ words: graph.words, arcs: graph.arcs.filter((arc) => arc.dependent !== dependent) }, head, dependent);
}

/** The graph with another relation on an arc; none if it is empty. @param {Graph} graph @param {number} head @param {number} dependent @param {string} relation @returns {Graph} */
export function withRelation(graph, head, dependent, relation) {
  const relations = relation.trim() ? [relation.trim()] : [];
  return { words: graph.words, arcs: graph.arcs.map((arc) => (same(arc, head, dependent) ? { ...arc, relations } : arc)) };
}

/** The graph without an arc. @param {Graph} graph @param {number} head @param {number} dependent @returns {Graph} */
export function withoutArc(graph, head, dependent) {
  return { words: graph.words, arcs: graph.arcs.filter((arc) => !same(arc, head, dependent)) };
}

/** The graph over other words; arcs to words that are gone go too. @param {Graph} graph @param {string[]} words @returns {Graph} */
export function withWords(graph, words) {
  const stays = (/** @type {number} */ word) => word <= words.length;
  return { words, arcs: graph.arcs.filter((arc) => stays(arc.head) && stays(arc.dependent)) };
}

/** The rows from which `makeGraph` makes the graph again. @param {Graph} graph */
export function rowsOf(graph) {
  return graph.arcs.map((arc) => [arc.head, arc.dependent, ...arc.relations]);
}
