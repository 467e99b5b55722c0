// The graphs of a sentence by name: "graph" is the main one, "tree" the basic tree, any other a further layer.
export const MAIN = "graph";
export const TREE = "tree";

/** The arcs of the basic tree; empty nodes have no place in it. */
function treeArcs(sentence) {
  return sentence.tree.flatMap((node, i) =>
    (node ? [{ head: placeOf(sentence, node.head), dependent: i + 1, relations: [node.relation] }] : []));
}

/** The place of the word with that number: empty nodes take places, but no numbers. */
function placeOf(sentence, word) {
  return word && sentence.ids ? sentence.ids.indexOf(String(word)) + 1 : word;
}

/** The arcs of a graph; those of the main one if the sentence has no such graph. */
export function arcsOf(sentence, name) {
  if (name === TREE && sentence.tree) return treeArcs(sentence);
  return sentence.layers?.[name]?.arcs ?? sentence.arcs;
}

/** The names of the graphs that some of the sentences have; the main one is left out where it is empty beside others. */
export function graphsIn(sentences) {
  const further = sentences.flatMap((sentence) => Object.keys(sentence.layers ?? {}).filter((name) => sentence.layers[name].arcs));
  const others = [...(sentences.some((sentence) => sentence.tree) ? [TREE] : []), ...new Set(further)];
  return others.length && sentences.every((sentence) => !sentence.arcs?.length) ? others : [MAIN, ...others];
}

/** "Graph", "Tree", "dm"; of a column such as ARCTAG:DM, what stands after the colon. */
export function graphTitle(name) {
  return { [MAIN]: "Graph", [TREE]: "Tree" }[name] ?? name.slice(name.indexOf(":") + 1);
}
