// The parsed sentences, and a line of figures above them.
import { saveMenu } from "../export/menu.js";
import { button } from "../ui/controls.js";
import { count, h, refill } from "../ui/dom.js";
import { sentenceCard } from "../ui/sentence_card.js";

const AT_ONCE = 5; // cards that are surely in sight: drawn with the others they would flicker

/** The results; `onLink` is called by the button that copies a link. */
export function results(onLink) {
  let sentences = [];
  let cards = [];

  const status = h("p", { class: "status", role: "status" });
  const actions = h("div", { class: "actions", hidden: true },
    button("Copy link", onLink, { class: "quiet" }),
    saveMenu("Save all", () => ({ sentences, pictures: () => cards.map((card) => card.picture().svg), stem: "parsed" }), { class: "quiet" }));
  const notice = h("p", { class: "notice bad", role: "alert", hidden: true });
  const list = h("div", { class: "results" });

  function draw(sentence, options) {
    const card = sentenceCard(sentence, cards.length + 1, options);
    cards.push(card);
    list.append(card.element);
    if (cards.length <= AT_ONCE) card.picture();
  }

  function clear(message = "Nothing to parse yet.") {
    [sentences, cards] = [[], []];
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
    more.forEach((sentence) => draw(sentence, options));
  }

  function redraw(options) {
    cards = [];
    refill(list);
    sentences.forEach((sentence) => draw(sentence, options));
  }

  /** The line: how much there is, how long it took, what is missing; and whether more is to come. */
  function sumUp(milliseconds, skipped, options, more) {
    const sum = (size) => sentences.reduce((total, sentence) => total + size(sentence), 0);
    const facts = [
      count(sentences.length, "sentence"), count(sum((one) => one.words.length), "word"), count(sum((one) => one.arcs.length), "arc"),
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
    haveTrees: () => sentences.some((sentence) => sentence.tree),
  };
}
