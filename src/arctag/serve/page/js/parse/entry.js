// The card where one types, with the choices below the text.
import { button, choice, menu, segments, setOptions, tick } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { EXAMPLES } from "./examples.js";
import { GUARANTEES } from "./options.js";
import { READINGS } from "./request.js";

/**
 * The card changes the options and then calls one of `told`: typing() after a key, changed() after any
 * other choice, reshaped() where the graphs only look different.
 */
export function entry(options, told) {
  let models = [];

  const field = h("textarea", {
    id: "text", rows: 3, dir: "auto", spellcheck: "false", placeholder: "Type or paste a text",
    on: { input: () => { options.text = field.value; told.typing(); } },
  });
  const model = choice("Model", [], "", (name) => { options.model = name; settleReading(); told.changed(); });
  const reading = choice("Read as", [], "", (name) => { options.reading = name; told.changed(); });
  const ensure = menu("Guarantees", guarantees);
  const probabilities = tick("Probabilities", false, (on) => { options.probabilities = on; told.changed(); }, "How sure the model is of each arc");
  const shape = segments("Which arcs", [["graph", "Graph"], ["tree", "Tree"]], "graph", (name) => { options.tree = name === "tree"; told.reshaped(); });
  const bar = h("progress", { class: "bar", max: 1, "aria-label": "Parsing", hidden: true });
  const examples = EXAMPLES.map(([name, text]) => button(name, () => take(text), { class: "link" }));
  const element = h("section", { class: "card entry", "aria-label": "Text" },
    h("label", { for: "text", class: "unseen" }, "Text to parse"), field, bar,
    h("div", { class: "controls" }, model.element, reading.element, ensure, probabilities.element, shape.element),
    h("div", { class: "examples" }, h("span", {}, "Try:"), examples));
  shape.element.hidden = true;

  function take(text) {
    options.text = text;
    field.value = text;
    field.focus();
    told.changed();
  }

  function guarantees() {
    return GUARANTEES.map(([name, meaning]) => tick(`${name}: ${meaning}`, options.ensure.has(name), (on) => {
      if (on) options.ensure.add(name);
      else options.ensure.delete(name);
      showGuarantees();
      told.changed();
    }).element);
  }

  function showGuarantees() {
    ensure.firstElementChild.textContent = options.ensure.size ? `Guarantees: ${[...options.ensure].join(", ")}` : "Guarantees";
  }

  /** A model without a tokenizer of its own reads words only. */
  function settleReading() {
    const chosen = models.find((one) => one.name === options.model);
    const names = chosen && !chosen.raw_text ? ["words"] : Object.keys(READINGS);
    if (!names.includes(options.reading)) options.reading = names[0];
    setOptions(reading.select, names.map((name) => [name, READINGS[name].name]), options.reading);
  }

  /** Make the card say what the options say. */
  function show() {
    if (field.value !== options.text) field.value = options.text;
    setOptions(model.select, models.map((one) => [one.name, `${one.name} (${one.encoding})`]), options.model);
    settleReading();
    probabilities.box.checked = options.probabilities;
    shape.set(options.tree ? "tree" : "graph");
    showGuarantees();
  }

  /** How far the work is: a share of it, undefined while nobody knows, null when it is done. */
  function progress(share) {
    bar.hidden = share === null;
    if (share) bar.value = share;
    else bar.removeAttribute("value");
  }

  return {
    element, show, progress,
    setModels: (list) => { models = list; },
    offerTree: (offered) => { shape.element.hidden = !offered; },
  };
}
