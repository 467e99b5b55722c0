// What a picture shows: sentences of the service turned into words and edges with looks.
import { isRightToLeft } from "./measure.js";
import { isEmptyNode } from "./nodes.js";
import { planeClass } from "./picture.js";
import { assignPlanes } from "./planes.js";

const FAINTEST = 0.3;

/** The relations of an arc as one text. */
export function relationText(arc) {
  return (arc.relations ?? []).join(" + ");
}

/** "97" for 0.968: a probability as a label has room for it. */
function percent(probability) {
  return `${Math.round(probability * 100)}%`;
}

function wordMarks(sentence, arcs) {
  const touched = new Set(arcs.flatMap((arc) => [arc.head, arc.dependent]));
  return sentence.words.map((_, i) => {
    const marks = [];
    if (isEmptyNode(sentence, i + 1)) marks.push("empty");
    if (!touched.has(i + 1)) marks.push("alone");
    return marks;
  });
}

/** The arcs of the basic tree, where the sentence has one. */
function treeArcs(sentence) {
  return (sentence.tree ?? []).flatMap((node, i) =>
    (node ? [{ head: node.head, dependent: i + 1, relations: [node.relation] }] : []));
}

/** The scene of one graph. */
export function sceneOf(sentence, { tree = false, probabilities = false } = {}) {
  const arcs = tree && sentence.tree ? treeArcs(sentence) : sentence.arcs;
  const planes = assignPlanes(arcs);
  const edges = arcs.map((arc, i) => {
    const shown = probabilities && arc.probability !== undefined;
    return {
      head: arc.head,
      dependent: arc.dependent,
      label: shown ? `${relationText(arc)} ${percent(arc.probability)}` : relationText(arc),
      look: planeClass(planes[i]),
      opacity: shown ? FAINTEST + (1 - FAINTEST) * arc.probability : undefined,
    };
  });
  return { words: sentence.words, edges, marks: wordMarks(sentence, arcs), rtl: isRightToLeft(sentence.words), planes: Math.max(0, ...planes) };
}

/** The scene of a gold sentence and compared arcs (see browse/compare.js). */
export function comparedScene(sentence, compared) {
  const edges = compared.map(({ head, dependent, label, kind }) => ({ head, dependent, label, look: kind }));
  return { words: sentence.words, edges, marks: wordMarks(sentence, edges), rtl: isRightToLeft(sentence.words) };
}
