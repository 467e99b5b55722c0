// A sentence on a card: its text, its picture, and what can be done with it.
import { saveMenu } from "../export/menu.js";
import { arcsOf } from "../graph/graphs.js";
import { countWords } from "../graph/nodes.js";
import { sceneOf } from "../graph/scene.js";
import { viewer } from "../graph/viewer.js";
import { hashOf } from "../route.js";
import { pack } from "../pack.js";
import { button } from "./controls.js";
import { count, h } from "./dom.js";

/** A name for files that no file system minds. */
export function stemOf(text) {
  return text.normalize("NFC").replace(/[^\p{L}\p{N}]+/gu, "-").replace(/^-|-$/g, "").slice(0, 40) || "sentence";
}

/** The text of a sentence; of tokens, the words with spaces between them. */
export function textOf(sentence) {
  return sentence.text || sentence.words.join(" ");
}

/** Open one of the graphs of a sentence in the view of encodings. */
export async function explain(sentence, name) {
  const graph = { w: sentence.words, a: arcsOf(sentence, name).map((arc) => [arc.head, arc.dependent, ...(arc.relations ?? [])]) };
  location.hash = hashOf("encodings", { g: await pack(JSON.stringify(graph)) });
}

function factsOf(sentence, scene) {
  const facts = [countWords([sentence]), count(scene.edges.length, "arc")];
  if (scene.planes > 1) facts.push(count(scene.planes, "plane"));
  if (sentence.score !== undefined) facts.push(`labels ${Math.round(100 * Math.exp(sentence.score))}% sure`);
  return facts.join(" · ");
}

/** Calls what belongs to an element once, when it comes near the visible part of the page. */
const waiting = new WeakMap();
const watcher = new IntersectionObserver((entries) => {
  entries.filter((entry) => entry.isIntersecting).forEach(({ target }) => waiting.get(target)?.());
}, { rootMargin: "800px" });

/**
 * The card; `shown` says how the picture is drawn, `number` what the sentence is called.
 *
 * The picture is drawn when the card comes near, or when `picture` asks for it: of a long text only the
 * beginning is seen at once.
 */
export function sentenceCard(sentence, number, shown) {
  const text = textOf(sentence);
  const place = h("div", { class: "picture-place" });
  let made = null;
  const picture = () => {
    if (!made) {
      const scene = sceneOf(sentence, shown);
      made = viewer(scene, { name: text, idle: factsOf(sentence, scene) });
      place.replaceWith(made.element);
      watcher.unobserve(element);
    }
    return made.picture;
  };
  const source = () => ({ sentences: [sentence], graph: shown.graph, pictures: () => [picture().svg], stem: stemOf(text) });
  const heading = h("header", { class: "card-head" },
    h("h2", {}, h("span", { class: "number" }, String(number)), h("span", { class: "sentence-text", dir: "auto" }, text)),
    h("div", { class: "actions" },
      button("As labels", () => explain(sentence, shown.graph), { class: "quiet", title: "See this graph as labels, and decode it step by step" }),
      saveMenu("Save", source, { class: "quiet", "aria-label": `Save sentence ${number}` })));
  const element = h("article", { class: "card sentence" }, heading, place);
  waiting.set(element, picture);
  watcher.observe(element);
  return { element, picture };
}
