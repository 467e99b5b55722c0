// @ts-check
// The card with the text field and the options below it.
import { INFO } from "../info.js";
import { button, choice, menu, setOptions, tick } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { lookControls } from "../ui/look.js";
import { graphsIn } from "../graph/graphs.js";
import { EXAMPLES } from "./examples.js";
import { otherLanguage } from "./language.js";
import { READINGS } from "./request.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Reading} Reading */

/**
 * The card. `actions` has: type(text) after a key, take(text) for an example, ask(changes) for an option of the request,
 * look(changes) for how graphs are drawn.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ type: (text: string) => void, take: (text: string) => void, ask: (changes: Partial<State>) => void, look: (changes: Partial<State["look"]>) => void }} actions
 */
export function entry(store, actions) {
  const field = h("textarea", {
    id: "text", rows: 3, dir: "auto", spellcheck: "false", placeholder: "Type or paste a text", on: { input: () => actions.type(field.value) },
  });
  const model = choice("Model", [], "", (name) => actions.ask({ model: name, reading: readingFor(name) }));
  const reading = choice("Read as", [], "", (name) => actions.ask({ reading: /** @type {Reading} */ (name) }));
  const ensure = menu("Guarantees", guarantees);
  const probabilities = tick("Probabilities", false, (checked) => actions.ask({ probabilities: checked }), "How sure the model is of each arc");
  const look = lookControls(actions.look);
  const bar = h("progress", { class: "bar", max: 1, "aria-label": "Parsing", hidden: true });
  const examples = EXAMPLES.map(([name, text]) => button(name, () => { actions.take(text); field.focus(); }, { class: "link" }));
  const language = h("p", { class: "notice soft", role: "status", hidden: true });
  const element = h("section", { class: "card entry", "aria-label": "Text" },
    h("label", { for: "text", class: "unseen" }, "Text to parse"), field, bar,
    h("div", { class: "controls" }, model.element, reading.element, ensure, probabilities.element, look.elements),
    h("div", { class: "examples" }, h("span", {}, "Try:"), examples), language);

  store.watch(["text"], ({ text }) => { if (field.value !== (text ?? "")) field.value = text ?? ""; });
  store.watch(["models", "model", "reading"], showModel);
  store.watch(["probabilities"], (state) => { probabilities.box.checked = state.probabilities; });
  store.watch(["ensure"], showGuarantees);
  store.watch(["sentences", "look"], (state) => look.offer(graphsIn(state.sentences), state.look));
  store.watch(["phase", "done", "all"], showProgress);
  store.watch(["text", "model", "models"], showLanguage);

  function guarantees() {
    return INFO.guarantees.map(({ name, description }) => tick(`${name}: ${description}`, store.state.ensure.has(name), (checked) => {
      const others = [...store.state.ensure].filter((one) => one !== name);
      actions.ask({ ensure: new Set(checked ? [...others, name] : others) });
    }).element);
  }

  /** @param {State} state */
  function showGuarantees(state) {
    const summary = /** @type {HTMLElement} */ (ensure.firstElementChild);
    summary.textContent = state.ensure.size ? `Guarantees: ${[...state.ensure].join(", ")}` : "Guarantees";
  }

  /** A model without a tokenizer of its own reads words only. @param {string} name @returns {Reading} */
  function readingFor(name) {
    const chosen = store.state.models.find((one) => one.name === name);
    return chosen && !chosen.raw_text ? "words" : store.state.reading;
  }

  /** @param {State} state */
  function showModel(state) {
    const chosen = state.models.find((one) => one.name === state.model);
    const ways = chosen && !chosen.raw_text ? ["words"] : Object.keys(READINGS);
    setOptions(model.select, state.models.map((one) => [one.name, one.title]), state.model);
    model.select.title = chosen ? `Predicts ${Object.keys(chosen.layers).join(", ")}` : "";
    setOptions(reading.select, ways.map((name) => [name, READINGS[/** @type {Reading} */ (name)].name]), state.reading);
  }

  /** @param {State} state */
  function showProgress({ phase, done, all }) {
    bar.hidden = !["waiting", "late", "parsing"].includes(phase);
    if (all > 1 && phase === "parsing") bar.value = done / all;
    else bar.removeAttribute("value");
  }

  /** @param {State} state */
  function showLanguage(state) {
    const chosen = state.models.find((one) => one.name === state.model);
    const other = otherLanguage(state.text ?? "", chosen?.language ?? null);
    language.hidden = !other;
    language.textContent = other ? `This looks like ${other}. The model “${chosen?.title}” has learned from other text: its graphs will be of little use here.` : "";
  }

  return { element };
}
