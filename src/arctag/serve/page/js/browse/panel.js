// One sentence of a treebank: its picture, perhaps against a prediction, or what is wrong with it.
import { saveMenu } from "../export/menu.js";
import { graphsIn, MAIN } from "../graph/graphs.js";
import { countWords } from "../graph/nodes.js";
import { comparedScene, sceneOf } from "../graph/scene.js";
import { viewer } from "../graph/viewer.js";
import { button, segments } from "../ui/controls.js";
import { count, h } from "../ui/dom.js";
import { graphChoice } from "../ui/graph_choice.js";
import { explain, stemOf, textOf } from "../ui/sentence_card.js";
import { scores } from "./compare.js";
import { foundWords } from "./filter.js";

function scoreLine({ counts, unscored }) {
  const { UF, LF } = scores(counts);
  const aside = unscored ? `; ${count(unscored, "arc")} of empty nodes not scored` : "";
  return `UF ${UF.toFixed(2)} · LF ${LF.toFixed(2)}: ${counts.correct} of ${count(counts.gold, "gold arc")} found, ${count(counts.predicted - counts.correct, "arc")} too many${aside}`;
}

function facts(sentence) {
  const parts = [countWords([sentence]), count(sentence.arcs.length, "arc"), count(sentence.planes, "plane"), `line ${sentence.line}`];
  if (sentence.cyclic) parts.push("cyclic");
  return parts.join(" · ");
}

function head(sentence, ...more) {
  return h("header", { class: "card-head" },
    h("h2", {}, h("span", { class: "sentence-text", dir: "auto" }, sentence.error ? sentence.id : textOf(sentence))),
    more.length ? h("div", { class: "actions" }, more) : null);
}

function brokenPanel(sentence) {
  return h("article", { class: "card" }, head(sentence),
    h("p", { class: "notice bad broken" }, sentence.error),
    sentence.raw ? h("pre", { class: "raw", tabindex: 0, "aria-label": "The lines of the file" }, sentence.raw) : null);
}

function markFound(scene, sentence, filter) {
  foundWords(sentence, filter).forEach((word) => scene.marks[word - 1].push("found"));
  return scene;
}

/**
 * The panel of a sentence. `other` is { sentence, compared } where there is a prediction, { waiting } until it
 * comes; `look` is { side, graph }: "both", "gold" or "predicted", and which of its graphs; it changes through `onLook`.
 * `names` says where the two come from.
 */
export function sentencePanel(sentence, other, names, filter, look, onLook) {
  if (sentence.error) return brokenPanel(sentence);
  const { scene, subject, graphs, graph } = sceneFor(sentence, other, look);
  markFound(scene, subject, filter);
  const made = viewer(scene, { name: textOf(sentence), idle: facts(sentence), enterFirst: true });
  const whose = other?.compared?.edges ? (subject === sentence ? `gold, as in ${names.gold}` : `predicted, ${names.predicted}`) : "";
  const source = () => ({ sentences: [subject], graph, pictures: () => [made.picture.svg], stem: stemOf(sentence.id || textOf(sentence)), whose });
  const tabs = other?.compared?.edges ? segments("Which arcs", [["both", "Compare"], ["gold", "Gold"], ["predicted", "Predicted"]], look.side, (side) => onLook({ side })).element : null;
  const choice = graphChoice((name) => onLook({ graph: name }));
  choice.offer({ names: graphs, graph });
  return h("article", { class: "card" },
    head(sentence, button("As labels", () => explain(subject, graph), { class: "quiet" }), saveMenu("Save", source, { class: "quiet" }, whose && `Text: ${whose}`)),
    h("div", { class: "sentence-line" }, h("p", { class: "sentence-id" }, sentence.id), choice.element),
    sentence.warning ? h("p", { class: "notice bad broken" }, sentence.warning) : null,
    other ? h("div", { class: "verdict" }, h("p", {}, verdictOf(other)), tabs) : null,
    made.element);
}

function verdictOf(other) {
  if (other.waiting) return "Waiting for the prediction …";
  if (other.compared.problem) return `Cannot be compared: ${other.compared.problem}.`;
  return scoreLine(other.compared);
}

/** What is drawn: one of the graphs of a sentence, or the main ones of both compared. */
function sceneFor(sentence, other, { side, graph }) {
  const edges = other?.compared?.edges;
  if (edges && side === "both") return { scene: comparedScene(sentence, edges), subject: sentence, graphs: [MAIN], graph: MAIN };
  const subject = edges && side === "predicted" ? other.sentence : sentence;
  const graphs = graphsIn([subject]);
  const drawn = graphs.includes(graph) ? graph : graphs[0];
  return { scene: sceneOf(subject, { graph: drawn }), subject, graphs, graph: drawn };
}
