// Highlighting what belongs together: a word with its heads and dependents, an arc with its two ends.

/** The arcs and words that belong to a target. */
function litParts(picture, target) {
  const { edges } = picture.scene;
  const arcs = edges.map((_, i) => i).filter((i) =>
    (target.arc !== undefined ? i === target.arc : edges[i].head === target.word || edges[i].dependent === target.word));
  const heads = new Set();
  const dependents = new Set();
  for (const i of arcs) {
    if (target.arc !== undefined || edges[i].dependent === target.word) heads.add(edges[i].head);
    if (target.arc !== undefined || edges[i].head === target.word) dependents.add(edges[i].dependent);
  }
  return { arcs, heads, dependents };
}

/** Let `target` ({word} or {arc}, or null for nothing) stand out and everything else step back. */
export function lightUp(picture, target) {
  picture.svg.querySelectorAll(".hot, .is-self, .is-head, .is-dependent").forEach((part) =>
    part.classList.remove("hot", "is-self", "is-head", "is-dependent"));
  picture.svg.classList.toggle("lit", target !== null);
  if (target === null) return;
  const { arcs, heads, dependents } = litParts(picture, target);
  arcs.forEach((i) => picture.arcs[i].classList.add("hot"));
  const mark = (word, look) => (word === 0 ? picture.root : picture.words[word - 1])?.classList.add("hot", look);
  heads.forEach((word) => mark(word, "is-head"));
  dependents.forEach((word) => mark(word, "is-dependent"));
  if (target.word !== undefined) mark(target.word, "is-self");
}

/** What an element of the picture stands for: {word}, {arc} or null. */
export function targetOf(element) {
  const part = element.closest?.("[data-word], [data-arc]");
  if (!part) return null;
  return part.dataset.word !== undefined ? { word: Number(part.dataset.word) } : { arc: Number(part.dataset.arc) };
}

const nameOf = (scene, word) => (word === 0 ? "root" : scene.words[word - 1]);

/** An arc in words: "wants → leave: xcomp". */
export function describeArc(scene, edge) {
  return `${nameOf(scene, edge.head)} → ${nameOf(scene, edge.dependent)}${edge.label ? `: ${edge.label}` : ""}`;
}

/** A word in words: its heads, its dependents. */
function describeWord(scene, word) {
  const heads = scene.edges.filter((edge) => edge.dependent === word)
    .map((edge) => `${nameOf(scene, edge.head)}${edge.label ? ` (${edge.label})` : ""}`);
  const dependents = scene.edges.filter((edge) => edge.head === word)
    .map((edge) => `${nameOf(scene, edge.dependent)}${edge.label ? ` (${edge.label})` : ""}`);
  const parts = [];
  if (word !== 0) parts.push(heads.length ? `${heads.length > 1 ? "heads" : "head"} ${heads.join(", ")}` : "no head");
  parts.push(dependents.length ? `dependents ${dependents.join(", ")}` : "no dependents");
  return `${nameOf(scene, word)}: ${parts.join("; ")}`;
}

/** What is highlighted, as a sentence for the line below the picture. */
export function describe(scene, target) {
  return target.arc !== undefined ? describeArc(scene, scene.edges[target.arc]) : describeWord(scene, target.word);
}
