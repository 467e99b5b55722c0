// @ts-check
// The parsed sentences, and a line of figures above them.
import { saveMenu } from "../export/menu.js";
import { arcsOf } from "../graph/graphs.js";
import { button } from "../ui/controls.js";
import { count, digits, h, refill } from "../ui/dom.js";
import { sentenceCard } from "../ui/sentence_card.js";

/** @typedef {import("./state.js").State} State */

const AT_ONCE = 5; // cards that are surely in sight: drawn with the others they would flicker
const PAGE = 500; // cards that are made at a time: a book would be too much for a browser

/**
 * The results. `actions` has: link() for the button that copies a link, stop() to give up.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State, before: State) => void) => void }} store
 * @param {{ link: () => void, stop: () => void }} actions
 */
export function results(store, actions) {
  /** @type {ReturnType<typeof sentenceCard>[]} */
  let cards = [];
  let pages = 1;

  const status = h("p", { class: "status", role: "status" });
  const stop = button("Stop", actions.stop, { class: "quiet", hidden: true });
  const finished = h("div", { class: "actions", hidden: true },
    button("Copy link", actions.link, { class: "quiet" }),
    saveMenu("Save all", () => ({ sentences: store.state.sentences, graph: store.state.look.graph, pictures: allPictures, stem: "parsed" }), { class: "quiet" }));
  const notice = h("p", { class: "notice bad", role: "alert", hidden: true });
  const list = h("div", { class: "results" });
  const more = button("", () => { pages += 1; showCards(store.state, store.state); }, { class: "more", hidden: true });

  store.watch(["sentences", "look", "probabilities"], showCards);
  store.watch(["sentences", "skipped", "milliseconds", "phase", "look", "text"], showStatus);
  store.watch(["phase"], ({ phase }) => list.classList.toggle("stale", phase === "late"));
  store.watch(["error"], ({ error }) => {
    notice.hidden = !error;
    notice.textContent = error;
  });

  /** Draw what is new; all of it where sentences are others, or are drawn in another way. @param {State} state @param {State} before */
  function showCards(state, before) {
    const { sentences, look, probabilities } = state;
    const grown = state.look === before.look && sentences[0] === before.sentences[0] && sentences.length >= cards.length;
    if (!grown || (!sentences.length && cards.length)) {
      cards = [];
      refill(list);
    }
    if (sentences[0] !== before.sentences[0]) pages = 1;
    const most = Math.min(sentences.length, pages * PAGE);
    const fresh = [];
    while (cards.length < most) {
      const card = sentenceCard(sentences[cards.length], cards.length + 1, look, { probabilities, width: () => list.clientWidth - 2 });
      fresh.push(card.element);
      cards.push(card);
    }
    list.append(...fresh);
    cards.slice(0, AT_ONCE).forEach((card) => { card.picture(); });
    more.hidden = most === sentences.length;
    more.textContent = `Show more: ${digits(most)} of ${digits(sentences.length)} sentences are shown`;
  }

  /** The pictures of all sentences, also of those that have no card yet. */
  function allPictures() {
    pages = Infinity;
    showCards(store.state, store.state);
    return cards.map((card) => card.picture().svg);
  }

  /** The line: how much there is, how long it took, what is missing; and whether more is to come. @param {State} state */
  function showStatus({ sentences, look, milliseconds, skipped, phase, probabilities, text, done, all }) {
    const busy = phase === "late" || phase === "parsing";
    const sum = (/** @type {(one: import("../types").Sentence) => number} */ size) => sentences.reduce((total, sentence) => total + size(sentence), 0);
    const facts = sentences.length ? [
      count(sentences.length, "sentence"), count(sum((one) => one.words.length), "word"), count(sum((one) => arcsOf(one, look.graph).length), "arc"),
      `${digits(Math.round(milliseconds))} ms`,
    ] : [];
    if (skipped) facts.push(`${count(skipped, "sentence")} skipped`);
    if (probabilities && sentences.length && !sentences.some((one) => one.score !== undefined)) facts.push("this model has no probabilities");
    if (phase === "parsing" && done < all) facts.push("parsing …");
    if (phase === "stopped") facts.push(`stopped: the rest of the text is not parsed`);
    status.textContent = phase === "late" ? "parsing …" : facts.join(" · ") || (text?.trim() ? "" : "Nothing to parse yet.");
    stop.hidden = !busy;
    finished.hidden = busy || !sentences.length;
  }

  return { elements: [h("div", { class: "summary" }, status, stop, finished), notice, list, more] };
}
