// What a picture shows: sentences of the service turned into words and edges with looks.
import { arcsOf, MAIN } from "./graphs.js";
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

/** The lines below each word: its tag and its lemma, if any word has one. */
function wordNotes({ words, tags, lemmas }) {
  const lines = [[tags, "tag"], [lemmas, "lemma"]].filter(([column]) => column);
  return words.map((_, i) => lines.map(([column, look]) => [{ text: column[i] === "_" ? "" : column[i], look }]));
}

/** What a scene shows of words, given the arcs over them. */
function wordsOf(sentence, arcs) {
  const { words } = sentence;
  return { words, marks: wordMarks(sentence, arcs), notes: wordNotes(sentence), noteKind: "small", rtl: isRightToLeft(words) };
}

/** The scene of one of the graphs. */
export function sceneOf(sentence, { graph = MAIN, probabilities = false } = {}) {
  const arcs = arcsOf(sentence, graph);
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
  return { ...wordsOf(sentence, arcs), edges, planes: Math.max(0, ...planes) };
}

/** The scene of a gold sentence and compared arcs (see browse/compare.js). */
export function comparedScene(sentence, compared) {
  const edges = compared.map(({ head, dependent, label, kind }) => ({ head, dependent, label, look: kind }));
  return { ...wordsOf(sentence, edges), edges };
}
