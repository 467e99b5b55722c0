// The parsed sentences, and a line of figures above them.
import { saveMenu } from "../export/menu.js";
import { arcsOf, graphsIn, MAIN } from "../graph/graphs.js";
import { button } from "../ui/controls.js";
import { count, h, refill } from "../ui/dom.js";
import { sentenceCard } from "../ui/sentence_card.js";

const AT_ONCE = 5; // cards that are surely in sight: drawn with the others they would flicker

/** The results; `onLink` is called by the button that copies a link. */
export function results(onLink) {
  let sentences = [];
  let cards = [];
  let graph = MAIN; // the one that is drawn
  let names = graphsIn([]);
  let summed = null; // what the line of figures was made of

  const status = h("p", { class: "status", role: "status" });
  const actions = h("div", { class: "actions", hidden: true },
    button("Copy link", onLink, { class: "quiet" }),
    saveMenu("Save all", () => ({ sentences, graph, pictures: () => cards.map((card) => card.picture().svg), stem: "parsed" }), { class: "quiet" }));
  const notice = h("p", { class: "notice bad", role: "alert", hidden: true });
  const list = h("div", { class: "results" });

  /** Draw the chosen graph, if there is such a graph; true where it was another before. */
  function choose(options) {
    const before = graph;
    graph = names.includes(options.graph) ? options.graph : names[0];
    return graph !== before;
  }

  function draw(sentence, options) {
    const card = sentenceCard(sentence, cards.length + 1, { ...options, graph });
    cards.push(card);
    list.append(card.element);
    if (cards.length <= AT_ONCE) card.picture();
  }

  function clear(message = "Nothing to parse yet.") {
    [sentences, cards, names, summed] = [[], [], graphsIn([]), null];
    refill(list);
    list.classList.remove("stale");
    notice.hidden = true;
    actions.hidden = true;
    status.textContent = message;
  }

  /** Grey what is shown: it belongs to the text before. */
  function wait() {
    status.textContent = "parsing …";
    list.classList.add("stale");
    actions.hidden = true;
  }

  function add(more, options) {
    sentences.push(...more);
    names = graphsIn(sentences);
    if (choose(options) && cards.length) redraw(options); // the sentences before had no such graph
    else more.forEach((sentence) => draw(sentence, options));
  }

  function redraw(options) {
    choose(options);
    cards = [];
    refill(list);
    sentences.forEach((sentence) => draw(sentence, options));
    if (summed) sumUp(...summed);
  }

  /** The line: how much there is, how long it took, what is missing; and whether more is to come. */
  function sumUp(milliseconds, skipped, options, more) {
    summed = [milliseconds, skipped, options, more];
    const sum = (size) => sentences.reduce((total, sentence) => total + size(sentence), 0);
    const facts = [
      count(sentences.length, "sentence"), count(sum((one) => one.words.length), "word"), count(sum((one) => arcsOf(one, graph).length), "arc"),
      `${Math.round(milliseconds).toLocaleString("en")} ms`,
    ];
    if (skipped) facts.push(`${count(skipped, "sentence")} skipped`);
    if (options.probabilities && !sentences.some((one) => one.score !== undefined)) facts.push("this model has no probabilities");
    if (more) facts.push("parsing …");
    status.textContent = facts.join(" · ");
    actions.hidden = more || !sentences.length;
  }

  function fail(error) {
    if (list.classList.contains("stale")) clear("");
    notice.textContent = error.message;
    notice.hidden = false;
  }

  return {
    elements: [h("div", { class: "summary" }, status, actions), notice, list],
    clear, wait, add, redraw, sumUp, fail,
    graphs: () => ({ names, graph }),
  };
}
