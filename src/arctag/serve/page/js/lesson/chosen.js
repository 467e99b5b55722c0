// @ts-check
// The line above the board: what is chosen, and what can be done with it.
import { describeArc } from "../graph/highlight.js";
import { isRightToLeft } from "../graph/measure.js";
import { button, freshId } from "../ui/controls.js";
import { h, refill } from "../ui/dom.js";
import { nameOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./edges.js").LessonEdge} LessonEdge */

const HINT = "Drag from a head to its dependent to draw an arc. Click a word for its label, an arc to name or delete it.";
const RTL_HINT = " In explanations, left means before and right after.";

/** What to do with a head in hand and another word under the cursor. @param {State} state @param {number | undefined} word */
function dependentHint(state, word) {
  if (word === undefined || word === state.inHand) return "Now choose the dependent.";
  return word === 0 ? "The root cannot be a dependent." : `Dependent: ${nameOf(state, word)}? Enter to draw.`;
}

/** The arc that is chosen. @param {State} state @returns {LessonEdge | undefined} */
export function chosenEdge({ chosen, answer }) {
  if (!chosen || "word" in chosen) return undefined;
  return answer?.edges.find((edge) => edge.head === chosen.head && edge.dependent === chosen.dependent);
}

/** @param {State} state */
function hintOf(state) {
  const { chosen, inHand, graph } = state;
  const word = chosen && "word" in chosen ? chosen.word : undefined;
  const edge = chosenEdge(state);
  if (inHand !== null) return `Head: ${nameOf(state, inHand)}. ${dependentHint(state, word)}`;
  if (edge) return describeArc({ words: graph.words }, { ...edge, label: edge.kind === "null" ? "a null arc" : edge.label });
  if (word !== undefined) return `Word ${word}: ${nameOf(state, word)}`;
  return isRightToLeft(graph.words) ? HINT + RTL_HINT : HINT;
}

/**
 * The line. `actions` has: take(word or null), remove(edge), relate(edge, relation).
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ take: (word: number | null) => void, remove: (edge: LessonEdge) => void, relate: (edge: LessonEdge, relation: string) => void }} actions
 */
export function chosenLine(store, actions) {
  const hint = h("p", { class: "board-hint", "aria-live": "polite" });
  const buttons = h("div", { class: "arc-actions" });
  /** What the buttons are for, so that a field in which one types is not made anew. */
  let shown = "";
  store.watch(["chosen", "inHand", "answer"], show);

  /** @param {State} state */
  function show(state) {
    const { chosen, inHand, graph } = state;
    hint.textContent = hintOf(state);
    const edge = chosenEdge(state);
    const own = edge && (edge.kind === "covered" || edge.kind === "lost") ? edge : undefined;
    const arc = own && graph.arcs.find((one) => one.head === own.head && one.dependent === own.dependent);
    const key = JSON.stringify([chosen, inHand, arc?.relations]);
    if (key === shown) return;
    shown = key;
    const word = chosen && "word" in chosen ? chosen.word : undefined;
    refill(buttons,
      own ? relationField(own, arc?.relations.join(" + ") ?? "") : null,
      own ? button("Delete arc", () => actions.remove(own)) : null,
      word !== undefined && inHand === null ? button("Draw an arc from here", () => actions.take(word)) : null,
      inHand !== null ? button("Cancel", () => actions.take(null)) : null);
  }

  /** @param {LessonEdge} edge @param {string} relation */
  function relationField(edge, relation) {
    const id = freshId("relation");
    const input = h("input", { id, type: "text", value: relation, size: 12, autocomplete: "off", spellcheck: "false", autocapitalize: "off", on: { change: () => actions.relate(edge, input.value) } });
    return h("div", { class: "field" }, h("label", { for: id }, "Relation"), input);
  }

  return { elements: [hint, buttons], focus: () => buttons.querySelector("input")?.focus() };
}
