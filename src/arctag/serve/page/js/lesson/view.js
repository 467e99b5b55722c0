// @ts-check
// The view that explains encodings: a graph, its labels, and how the labels become the graph again.
import { get, messageOf } from "../api.js";
import { saveMenu } from "../export/menu.js";
import { copyText } from "../export/save.js";
import { describeArc } from "../graph/highlight.js";
import { reveal } from "../graph/viewer.js";
import { TooMuch } from "../pack.js";
import { readRoute, showRoute } from "../route.js";
import { createStore } from "../store.js";
import { button, choice, freshId } from "../ui/controls.js";
import { h, isTyping } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { addressOf, readAddress } from "./address.js";
import { board } from "./board.js";
import { chooser } from "./chooser.js";
import { chosenLine } from "./chosen.js";
import { comparison } from "./comparison.js";
import { EXAMPLES } from "./examples.js";
import { encodingName, familiesOf, familyOf } from "./families.js";
import { lesson } from "./lesson.js";
import { labelPanel, showCoverage } from "./panels.js";
import { player } from "./player.js";
import { lessonScene, showStep } from "./scene.js";
import { firstState } from "./state.js";

/** @typedef {import("./state.js").State} State */

const OWN = "own";

/** The view. @returns {import("../types").View} */
export function lessonView() {
  const store = createStore(firstState());
  let step = false; // whether the next address is one to come back to
  const actions = lesson(store, notify, () => { step = true; });

  const play = player(store, actions.moveTo);
  const table = board(() => store.state, {
    connect: async (head, dependent, byHand) => {
      await actions.connect(head, dependent);
      if (byHand) line.focus(); // to name the relation
    },
    remove: actions.remove, undo: actions.undo, choose: (chosen) => store.set({ chosen }),
    take: (word) => store.set({ inHand: word, ...(word === null ? {} : { chosen: { word } }) }),
  });
  const line = chosenLine(store, { take: (word) => store.set({ inHand: word, ...(word === null ? {} : { chosen: { word } }) }), remove: actions.remove, relate: actions.relate });
  const coverage = h("section", { class: "card panel coverage", "aria-label": "Coverage", "aria-live": "polite" });
  const label = labelPanel({ change: actions.changeLabel, restore: actions.restoreLabels });
  const notice = h("p", { class: "notice bad", role: "alert", hidden: true });
  const spoken = h("p", { class: "unseen" });
  const undo = button("Undo", actions.undo, { class: "quiet" });
  const reset = button("Reset", actions.reset, { class: "quiet" });
  const source = sourceFields(store, actions);
  const element = h("div", { class: "lesson-view" },
    h("h1", { class: "unseen" }, "Encodings, explained"),
    h("aside", { class: "side card", "aria-label": "Choose" }, chooser(store, actions.choose).element),
    h("div", { class: "lesson" },
      notice,
      h("section", { class: "card board-card", "aria-label": "Graph and labels" },
        source.element,
        h("header", { class: "board-head" }, line.elements, h("div", { class: "actions" }, undo, reset,
          button("Copy link", copyLink, { class: "quiet" }),
          saveMenu("Save", () => ({ sentences: [store.state.graph], pictures: () => [/** @type {SVGElement} */ (table.picture()?.svg)], stem: encodingName(store.state) }), { class: "quiet" }))),
        h("p", { class: "working", role: "status" }, h("span", {}, "working …")), table.element, spoken),
      play.element,
      h("div", { class: "panels" }, coverage, label.element),
      comparison(store).element));

  store.watch(["busy"], ({ busy }) => {
    for (const one of [element, table.element]) {
      if (busy) one.setAttribute("aria-busy", "true");
      else one.removeAttribute("aria-busy");
    }
    element.classList.toggle("stale", busy);
  });
  store.watch(["error"], ({ error }) => {
    notice.hidden = !error;
    notice.textContent = error;
  });
  store.watch(["answer"], drawBoard);
  store.watch(["answer", "position"], showPosition);
  store.watch(["answer", "changed"], ({ answer, changed }) => { if (answer) showCoverage(coverage, answer, changed !== null); });
  store.watch(["chosen", "inHand"], table.mark);
  store.watch(["answer", "chosen"], ({ answer, chosen, family, labelError }) => {
    if (answer) label.show(chosen && "word" in chosen ? chosen.word : null, answer, family);
    label.refuse(labelError);
  });
  store.watch(["labelError"], ({ labelError }) => label.refuse(labelError));
  store.watch(["answer", "past", "origin"], ({ past, graph, origin }) => {
    undo.disabled = !past.length;
    reset.disabled = graph === origin.graph;
  });

  /** @param {State} state */
  function drawBoard(state) {
    const { answer, family, planes } = state;
    if (!answer) return;
    const scene = lessonScene(answer.graph, answer.edges, answer.labels, answer.encoded.labels, family, familyOf(state)?.planes.length ? planes : null);
    table.draw(scene);
    spoken.textContent = spokenText(answer);
  }

  /** @param {State} state */
  function showPosition({ answer, position, family }) {
    const picture = table.picture();
    if (!answer || !picture) return;
    const { refusal, steps } = answer.traced;
    showStep(picture, steps, refusal ? Infinity : position, family);
    const word = refusal ? null : steps[position - 1]?.word;
    if (word) reveal(table.element, picture, word);
    remember();
  }

  async function remember() {
    const isStep = step;
    step = false;
    showRoute(await addressOf(store.state), isStep);
  }

  async function copyLink() {
    await remember();
    await copyText(location.href).then(() => notify("Link copied"), (error) => notify(messageOf(error), true));
  }

  /** @param {URLSearchParams} params */
  async function open(params) {
    try {
      if (!store.state.families.length) store.set({ families: familiesOf((await get("api/encodings")).encodings) });
      if (store.state.answer && ![...params.keys()].length) return;
      if (store.state.answer && `#encodings?${params}` === await addressOf(store.state)) return;
      const { step: position, unknown, state } = await readAddress(params, store.state.families).catch((error) => {
        notify(error instanceof TooMuch ? `The graph of this link is not shown: ${error.message}.` : "The link is damaged: its graph cannot be read.", true);
        return readAddress(new URLSearchParams(), store.state.families);
      });
      if (unknown.length) notify(`The link names an unknown ${unknown.join(" and ")}; another one is shown.`, true);
      store.set({ ...state, origin: { graph: state.graph, example: state.example }, chosen: null, inHand: null, wordsError: "" });
      await actions.update(position);
    } catch (error) {
      store.set({ error: messageOf(error) });
    }
  }

  /** Arrow keys step wherever they have no other meaning. @param {KeyboardEvent} event */
  function key(event) {
    if (event.defaultPrevented || isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("input, details.menu")) return;
    if (event.key === "ArrowRight") play.step(1);
    else if (event.key === "ArrowLeft") play.step(-1);
    else return;
    event.preventDefault();
  }

  const retry = () => { if (store.state.answer) actions.update(); else open(readRoute().params); };

  return { element, open, key, retry, leave: play.stop };
}

/** The graph and its labels in words, for screen readers. @param {import("./state.js").Answer} answer */
function spokenText({ graph, edges, labels, noTree }) {
  const arcs = edges.filter((edge) => edge.kind !== "null").map((edge) => describeArc(graph, edge)).join("; ");
  const read = graph.words.map((word, i) => `${word}: ${labels[i]}`).join("; ");
  return `Arcs: ${arcs || "none"}.${noTree ? "" : ` Labels: ${read}.`}`;
}

/**
 * The example, and the words of one's own, with what is wrong with them beside the field.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ takeExample: (name: string) => void, takeWords: (text: string) => void }} actions
 */
function sourceFields(store, { takeExample, takeWords }) {
  const [id, errorId] = [freshId("words"), freshId("words-error")];
  const example = choice("Example", [...EXAMPLES.map(({ name, title }) => [name, title]), [OWN, "Your own"]], "", (name) => { if (name !== OWN) takeExample(name); });
  const words = h("input", { id, type: "text", dir: "auto", autocomplete: "off", spellcheck: "false", "aria-describedby": errorId, on: { change: () => takeWords(words.value) } });
  const error = h("p", { class: "field-error", id: errorId, role: "alert", hidden: true });
  store.watch(["graph", "example", "families"], (state) => {
    words.value = state.graph.words.join(" ");
    example.select.value = state.example || OWN;
  });
  store.watch(["wordsError"], ({ wordsError }) => {
    error.hidden = !wordsError;
    error.textContent = wordsError;
    if (wordsError) words.setAttribute("aria-invalid", "true");
    else words.removeAttribute("aria-invalid");
  });
  return { element: h("div", { class: "source" }, example.element, h("div", { class: "field words-field" }, h("label", { for: id }, "Words"), words), error) };
}
