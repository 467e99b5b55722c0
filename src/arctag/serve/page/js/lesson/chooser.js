// The list of encodings, the number of planes, and the options that matter for the one chosen.
import { button, choice, freshId, tick } from "../ui/controls.js";
import { h, refill } from "../ui/dom.js";

/** What the picture calls things, where that needs a word. */
const NOTES = { bits6: " In the picture, such a pair is one plane with two directions, → and ←." };

/** The families with the planes they offer, from the service's list. */
export function familiesOf(encodings) {
  const families = new Map();
  for (const { family, planes, description, trees_only } of encodings) {
    if (!families.has(family)) families.set(family, { family, description, planes: [], treesOnly: trees_only });
    if (planes !== null) families.get(family).planes.push(planes);
  }
  return [...families.values()];
}

/** The name of the encoding that a state has chosen: 'bits6-4'. */
export function encodingName(state, families) {
  const family = families.find((one) => one.family === state.family);
  return family?.planes.length ? `${state.family}-${state.planes}` : state.family;
}

/** Whether the encoding that a state has chosen is for trees only. */
export function isForTrees(state, families) {
  return Boolean(families.find((one) => one.family === state.family)?.treesOnly);
}

/** The chooser; `onChange` is called after it has changed the state. */
export function chooser(state, families, onChange) {
  const group = freshId("encoding");
  const about = h("p", { class: "about" });
  const option = ({ family }) => {
    const input = h("input", { type: "radio", name: group, value: family, on: { change: () => { state.family = family; changed(); } } });
    return h("label", {}, input, h("span", {}, family));
  };
  const list = h("fieldset", { class: "families" }, h("legend", {}, "Encoding"),
    families.filter((one) => !one.treesOnly).map(option),
    h("p", { class: "families-note" }, "For trees only"),
    families.filter((one) => one.treesOnly).map(option));
  const number = h("output", { class: "k", "aria-live": "polite" });
  const fewer = button("−", () => setPlanes(state.planes - 1), { class: "icon", "aria-label": "Fewer planes" });
  const more = button("+", () => setPlanes(state.planes + 1), { class: "icon", "aria-label": "More planes" });
  const counted = h("span", {});
  const stepper = h("div", { class: "stepper" }, counted, fewer, number, more);
  const crossing = choice("Crossing", [["relaxed", "same direction only"], ["strict", "any two arcs"]], state.crossing, (value) => { state.crossing = value; changed(); });
  const assign = choice("Assign", [["greedy", "in order"], ["best", "to cover most"]], state.assign, (value) => { state.assign = value; changed(); });
  const nulls = tick("Null arcs", state.showNulls, (on) => { state.showNulls = on; changed(); });
  const relations = tick("Relations", state.showRelations, (on) => { state.showRelations = on; changed(); });
  const element = h("div", { class: "chooser" }, list, about, stepper, h("div", { class: "options" }, crossing.element, assign.element, nulls.element, relations.element));

  function planesOf() {
    return families.find((one) => one.family === state.family)?.planes ?? [];
  }

  function setPlanes(planes) {
    state.planes = planes;
    changed();
  }

  function changed() {
    show();
    onChange();
  }

  /** Set the controls to the state. */
  function show() {
    const offered = planesOf();
    list.querySelectorAll("input").forEach((input) => { input.checked = input.value === state.family; });
    refill(about, (families.find((one) => one.family === state.family)?.description ?? "") + (NOTES[state.family] ?? ""));
    refill(counted, state.family === "bits6" ? "Pairs of planes" : "Planes");
    stepper.hidden = !offered.length;
    number.textContent = String(state.planes);
    fewer.disabled = state.planes <= Math.min(...offered);
    more.disabled = state.planes >= Math.max(...offered);
    crossing.element.hidden = state.family !== "brackets";
    assign.element.hidden = !offered.length || isForTrees(state, families);
    nulls.element.hidden = state.family !== "bits4";
    crossing.select.value = state.crossing;
    assign.select.value = state.assign;
    nulls.box.checked = state.showNulls;
    relations.box.checked = state.showRelations;
  }

  show();
  return { element, show };
}
