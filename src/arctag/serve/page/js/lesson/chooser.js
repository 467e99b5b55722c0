// @ts-check
// The list of encodings, the number of planes, and the options that matter for the one chosen.
import { button, choice, freshId, tick } from "../ui/controls.js";
import { h, refill } from "../ui/dom.js";
import { familyOf, isForTrees } from "./families.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./families.js").Family} Family */

/** What the picture calls things, where that needs a word. @type {Record<string, string>} */
const NOTES = { bits6: " In the picture, such a pair is one plane with two directions, → and ←." };

/**
 * The chooser; `choose` is called with what changes.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {(changes: Partial<State>) => void} choose
 */
export function chooser(store, choose) {
  const group = freshId("encoding");
  const about = h("p", { class: "about" });
  const list = h("fieldset", { class: "families" });
  const number = h("output", { class: "k", "aria-live": "polite" });
  const fewer = button("−", () => choose({ planes: store.state.planes - 1 }), { class: "icon", "aria-label": "Fewer planes" });
  const more = button("+", () => choose({ planes: store.state.planes + 1 }), { class: "icon", "aria-label": "More planes" });
  const counted = h("span", {});
  const stepper = h("div", { class: "stepper" }, counted, fewer, number, more);
  const crossing = choice("Crossing", [["relaxed", "same direction only"], ["strict", "any two arcs"]], "relaxed", (value) => choose({ crossing: value }));
  const assign = choice("Assign", [["greedy", "in order"], ["best", "to cover most"]], "greedy", (value) => choose({ assign: value }));
  const nulls = tick("Null arcs", true, (on) => choose({ showNulls: on }));
  const relations = tick("Relations", true, (on) => choose({ showRelations: on }));
  const element = h("div", { class: "chooser" }, list, about, stepper, h("div", { class: "options" }, crossing.element, assign.element, nulls.element, relations.element));

  store.watch(["families"], ({ families }) => {
    refill(list, h("legend", {}, "Encoding"),
      families.filter((one) => !one.treesOnly).map(option),
      h("p", { class: "families-note" }, "For trees only"),
      families.filter((one) => one.treesOnly).map(option));
  });
  store.watch(["families", "family", "planes", "crossing", "assign", "showNulls", "showRelations"], show);

  /** @param {Family} family */
  function option({ family, planes }) {
    const input = h("input", {
      type: "radio", name: group, value: family,
      on: { change: () => choose({ family, planes: planes.includes(store.state.planes) || !planes.length ? store.state.planes : planes[planes.length - 1] }) },
    });
    return h("label", {}, input, h("span", {}, family));
  }

  /** @param {State} state */
  function show(state) {
    const offered = familyOf(state)?.planes ?? [];
    for (const input of list.querySelectorAll("input")) input.checked = input.value === state.family;
    refill(about, (familyOf(state)?.description ?? "") + (NOTES[state.family] ?? ""));
    refill(counted, state.family === "bits6" ? "Pairs of planes" : "Planes");
    stepper.hidden = !offered.length;
    number.textContent = String(state.planes);
    fewer.disabled = state.planes <= Math.min(...offered);
    more.disabled = state.planes >= Math.max(...offered);
    crossing.element.hidden = state.family !== "brackets";
    assign.element.hidden = !offered.length || isForTrees(state);
    nulls.element.hidden = state.family !== "bits4";
    crossing.select.value = state.crossing;
    assign.select.value = state.assign;
    nulls.box.checked = state.showNulls;
    relations.box.checked = state.showRelations;
  }

  return { element };
}
