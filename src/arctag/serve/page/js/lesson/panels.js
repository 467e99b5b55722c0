// @ts-check
// The panels below the picture: what is covered, and what a label means.
import { planeClass } from "../graph/scene.js";
import { button, freshId } from "../ui/controls.js";
import { count, h, refill } from "../ui/dom.js";
import { prose } from "./prose.js";

/** @typedef {import("./edges.js").LessonEdge} LessonEdge */
/** @typedef {import("./state.js").Answer} Answer */

const nameOf = (/** @type {string[]} */ words, /** @type {number} */ word) => (word === 0 ? "root" : words[word - 1]);

/** @param {LessonEdge} edge @param {string[]} words */
function lostArc(edge, words) {
  const reasons = edge.why ? edge.why.split("; ") : ["the changed labels no longer lead to it"];
  return h("li", {},
    h("p", { class: "lost-arc" }, h("b", {}, `${edge.head}→${edge.dependent}`), " ",
      h("i", { class: "mention", dir: "auto" }, `${nameOf(words, edge.head)} → ${nameOf(words, edge.dependent)}`)),
    h("ul", {}, reasons.map((reason) => h("li", {}, prose(reason, words)))));
}

/** How many arcs are covered, and why the others are not. @param {Element} place @param {Answer} answer @param {boolean} changed */
export function showCoverage(place, { edges, graph, traced, noTree }, changed) {
  if (noTree) {
    showNoTree(place, noTree);
    return;
  }
  const own = edges.filter((edge) => edge.kind === "covered" || edge.kind === "lost");
  const lost = own.filter((edge) => edge.kind === "lost");
  const added = edges.filter((edge) => edge.kind === "added");
  const whole = lost.length === 0 && added.length === 0;
  const line = own.length ? `${own.length - lost.length} of ${count(own.length, "arc")} ${changed ? "come back" : "covered"}` : "No arcs yet";
  refill(place,
    h("h2", {}, h("span", { class: whole ? "mark good" : "mark bad", "aria-hidden": "true" }, whole ? "✓" : "✕"), ` ${line}`),
    own.length ? null : h("p", { class: "hint" }, "Drag from one word to another to draw an arc."),
    lost.length ? h("ul", { class: "lost-list" }, lost.map((edge) => lostArc(edge, graph.words))) : null,
    added.length ? h("p", {}, `Not in the graph: ${added.map((edge) => `${edge.head}→${edge.dependent}`).join(", ")}.`) : null,
    traced.repairs ? h("p", {}, `${count(traced.repairs, "repair")}: parts of the labels that make no sense and are left out.`) : null);
}

/** Why there are no labels: the graph is no tree. @param {Element} place @param {string} why */
function showNoTree(place, why) {
  refill(place,
    h("h2", {}, h("span", { class: "mark bad", "aria-hidden": "true" }, "✕"), " Not a tree"),
    h("p", {}, why),
    h("p", { class: "hint" }, "Draw an arc to give a word another head, delete one, or choose the example “A tree”."));
}

/**
 * The panel of a label: part by part; it can be changed. `actions` has change(word, label) and restore().
 *
 * @param {{ change: (word: number, label: string) => void, restore: () => void }} actions
 */
export function labelPanel(actions) {
  const element = h("section", { class: "card panel label-panel", "aria-label": "Label" });
  const errorId = freshId("label-error");
  const error = h("p", { class: "field-error", id: errorId, role: "alert", hidden: true });
  /** @type {HTMLInputElement | null} */
  let field = null;

  /** Show the label of a word; null for none. @param {number | null} word @param {Answer} answer @param {string} family */
  function show(word, { graph, labels, encoded, noTree }, family) {
    if (!word || noTree) {
      field = null;
      refill(element, h("h2", {}, "What a label says"), h("p", { class: "hint" }, noTree ? "There are no labels." : "Choose a word to see what each part of its label stands for, and to change it."));
      return;
    }
    const changed = labels[word - 1] !== encoded.labels[word - 1];
    const input = h("input", {
      type: "text", value: labels[word - 1], spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": `Label of word ${word}`,
      "aria-describedby": errorId, on: { change: () => actions.change(word, input.value.trim()) },
    });
    field = input;
    const meanings = changed ? [] : encoded.parts?.[word - 1] ?? [];
    refill(element,
      h("h2", {}, `Word ${word} `, h("i", { class: "mention", dir: "auto" }, graph.words[word - 1])),
      h("div", { class: "label-edit" }, input, labels.some((label, i) => label !== encoded.labels[i]) ? button("Restore labels", actions.restore) : null),
      error,
      changed ? h("p", {}, "The label of the graph is ", h("code", {}, encoded.labels[word - 1]), ".") : null,
      meanings.length ? h("dl", { class: "parts" }, meanings.flatMap((part, i) => meaningOf(part, i, meanings, family, graph.words))) : null,
      !changed && !meanings.length ? h("p", { class: "hint" }, "The label is empty: no arc touches the word here.") : null);
  }

  /** Say what is wrong with the text in the field, beside it. @param {string} message */
  function refuse(message) {
    error.hidden = !message;
    error.textContent = message;
    if (message) field?.setAttribute("aria-invalid", "true");
    else field?.removeAttribute("aria-invalid");
  }

  return { element, show, refuse };
}

/** "plane 1, bit 2: …" is set in the colour of plane 1. @param {{ text: string, meaning: string }} part @param {number} i @param {{ meaning: string }[]} all @param {string} family @param {string[]} words */
function meaningOf(part, i, all, family, words) {
  const plane = part.meaning.match(/^plane (\d+)/)?.[1];
  const before = all[i - 1]?.meaning.match(/^plane (\d+)/)?.[1];
  const look = plane ? planeClass(Number(plane)) : "";
  const divider = family.startsWith("bits") && plane !== before ? "first" : "";
  return [
    h("dt", { class: `${look} ${divider}` }, part.text),
    h("dd", { class: divider }, prose(part.meaning, words)),
  ];
}
