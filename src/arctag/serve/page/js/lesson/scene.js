// The picture of the lesson: the graph with labels below its words; and how it is shown at a step.
import { isRightToLeft } from "../graph/measure.js";
import { isBits, labelLines, lineNames } from "./labels.js";
import { lessonLegend } from "./edges.js";

/** Words, edges and labels as a scene. The first line below a word is its number: explanations go by it. */
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

/** The row of the label that a step reads: in bit encodings, that of its plane. */
function rowRead(step, family) {
  const plane = step.pass?.match(/plane (\d+)/)?.[1];
  return isBits(family) && plane ? Number(plane) : null;
}

/** Show a picture as it is after `at` of `steps` steps. */
export function showStep(picture, steps, at, family) {
  const running = at <= steps.length;
  const step = running ? steps[at - 1] : null;
  picture.svg.classList.toggle("running", running);
  picture.scene.edges.forEach((edge, i) => {
    const arc = picture.arcs[i];
    arc.classList.toggle("ghost", running && (edge.step > at || edge.gone <= at));
    arc.classList.toggle("fresh", running && edge.step === at);
  });
  const row = step ? rowRead(step, family) : null;
  picture.words.forEach((word, i) => {
    const reading = step?.word === i + 1;
    word.classList.toggle("reading", reading);
    word.querySelectorAll(".note").forEach((note) => {
      note.classList.toggle("aside", reading && row !== null && Number(note.dataset.row) !== row && note.dataset.row !== "0");
    });
  });
}
