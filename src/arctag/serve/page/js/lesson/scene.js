// @ts-check
// The picture of the lesson: the graph with labels below its words; and how it is shown at a step.
import { isRightToLeft } from "../graph/measure.js";
import { lessonLegend } from "./edges.js";
import { isBits, labelLines, lineNames } from "./labels.js";

/** @typedef {import("./edges.js").LessonEdge} LessonEdge */
/** @typedef {import("./edges.js").Step} Step */

/**
 * Words, edges and labels as a scene. The first line below a word is its number: explanations go by it.
 *
 * @param {import("./graph.js").Graph} graph @param {LessonEdge[]} edges @param {string[]} labels @param {string[]} original
 * @param {string} family @param {number | null} planes @returns {import("../types").Scene<LessonEdge>}
 */
export function lessonScene(graph, edges, labels, original, family, planes) {
  const notes = labels.map((label, i) => [
    [{ text: String(i + 1), look: "word-number" }],
    ...labelLines(label, family).map((line) => (label === original[i] ? line : line.map((part) => ({ ...part, look: `${part.look} by-hand` })))),
  ]);
  return {
    words: graph.words, edges, notes, root: true, rtl: isRightToLeft(graph.words),
    noteNames: [{ text: "", look: "" }, ...lineNames(family, planes)],
    legend: lessonLegend(edges),
  };
}

/** The row of the label that a step reads: in bit encodings, that of its plane. @param {Step} step @param {string} family */
function rowRead(step, family) {
  const plane = step.pass?.match(/plane (\d+)/)?.[1];
  return isBits(family) && plane ? Number(plane) : null;
}

/** Show a picture as it is after `at` of `steps` steps. @param {import("../types").Picture<LessonEdge>} picture @param {Step[]} steps @param {number} at @param {string} family */
export function showStep(picture, steps, at, family) {
  const running = at <= steps.length;
  const step = running ? steps[at - 1] : undefined;
  picture.svg.classList.toggle("running", running);
  picture.scene.edges.forEach((edge, i) => {
    for (const part of picture.arcs[i]) {
      part.classList.toggle("ghost", running && (edge.step > at || (edge.gone ?? Infinity) <= at));
      part.classList.toggle("fresh", running && edge.step === at);
    }
  });
  const row = step ? rowRead(step, family) : null;
  picture.words.forEach((word, i) => {
    const reading = step?.word === i + 1;
    word.classList.toggle("reading", reading);
    for (const note of /** @type {NodeListOf<SVGElement>} */ (word.querySelectorAll(".note"))) {
      note.classList.toggle("aside", reading && row !== null && Number(note.dataset.row) !== row && note.dataset.row !== "0");
    }
  });
}
