// The card with the text field and the options below it.
import { INFO } from "../info.js";
import { button, choice, menu, setOptions, tick } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { graphChoice } from "../ui/graph_choice.js";
import { EXAMPLES } from "./examples.js";
import { READINGS } from "./request.js";

/**
 * The card changes the options and then calls one of `on`: typing() after a key, changed() after any
 * other choice, reshaped() where the graphs only look different.
 */
export function entry(options, on) {
  let models = [];

  const field = h("textarea", {
    id: "text", rows: 3, dir: "auto", spellcheck: "false", placeholder: "Type or paste a text",
    on: { input: () => { options.text = field.value; on.typing(); } },
  });
  const model = choice("Model", [], "", (name) => { options.model = name; settleReading(); on.changed(); });
  const reading = choice("Read as", [], "", (name) => { options.reading = name; on.changed(); });
  const ensure = menu("Guarantees", guarantees);
  const probabilities = tick("Probabilities", false, (checked) => { options.probabilities = checked; on.changed(); }, "How sure the model is of each arc");
  const shape = graphChoice((name) => { options.graph = name; on.reshaped(); });
  const bar = h("progress", { class: "bar", max: 1, "aria-label": "Parsing", hidden: true });
  const examples = EXAMPLES.map(([name, text]) => button(name, () => take(text), { class: "link" }));
  const element = h("section", { class: "card entry", "aria-label": "Text" },
    h("label", { for: "text", class: "unseen" }, "Text to parse"), field, bar,
    h("div", { class: "controls" }, model.element, reading.element, ensure, probabilities.element, shape.element),
    h("div", { class: "examples" }, h("span", {}, "Try:"), examples));

  function take(text) {
    options.text = text;
    field.value = text;
    field.focus();
    on.changed();
  }

  function guarantees() {
    return INFO.guarantees.map(({ name, description }) => tick(`${name}: ${description}`, options.ensure.has(name), (checked) => {
      if (checked) options.ensure.add(name);
      else options.ensure.delete(name);
      showGuarantees();
      on.changed();
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
    setOptions(model.select, models.map((one) => [one.name, `${one.name} (${Object.keys(one.layers).join(", ")})`]), options.model);
    settleReading();
    probabilities.box.checked = options.probabilities;
    showGuarantees();
  }

  /** How much of the text is parsed: a share of it, undefined while that is not known, null when it is done. */
  function progress(share) {
    bar.hidden = share === null;
    if (share) bar.value = share;
    else bar.removeAttribute("value");
  }

  return {
    element, show, progress,
    setModels: (list) => { models = list; },
    offerGraphs: shape.offer,
  };
}
