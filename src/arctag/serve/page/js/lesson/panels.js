// The panels below the picture: what is covered, and what a label means.
import { planeClass } from "../graph/picture.js";
import { button } from "../ui/controls.js";
import { count, h, refill } from "../ui/dom.js";
import { prose } from "./prose.js";

const nameOf = (words, word) => (word === 0 ? "root" : words[word - 1]);

function lostArc(edge, words) {
  const reasons = edge.why ? edge.why.split("; ") : ["the changed labels no longer lead to it"];
  return h("li", {},
    h("p", { class: "lost-arc" }, h("b", {}, `${edge.head}→${edge.dependent}`), " ",
      h("i", { class: "mention", dir: "auto" }, `${nameOf(words, edge.head)} → ${nameOf(words, edge.dependent)}`)),
    h("ul", {}, reasons.map((reason) => h("li", {}, prose(reason, words)))));
}

/** How many arcs are covered, and why the others are not. */
export function showCoverage(place, edges, words, repairs, changed) {
  const own = edges.filter((edge) => edge.kind === "covered" || edge.kind === "lost");
  const lost = own.filter((edge) => edge.kind === "lost");
  const added = edges.filter((edge) => edge.kind === "added");
  const whole = lost.length === 0 && added.length === 0;
  const line = own.length ? `${own.length - lost.length} of ${count(own.length, "arc")} ${changed ? "come back" : "covered"}` : "No arcs yet";
  refill(place,
    h("h2", {}, h("span", { class: whole ? "mark good" : "mark bad", "aria-hidden": "true" }, whole ? "✓" : "✕"), ` ${line}`),
    own.length ? null : h("p", { class: "hint" }, "Drag from one word to another to draw an arc."),
    lost.length ? h("ul", { class: "lost-list" }, lost.map((edge) => lostArc(edge, words))) : null,
    added.length ? h("p", {}, `Not in the graph: ${added.map((edge) => `${edge.head}→${edge.dependent}`).join(", ")}.`) : null,
    repairs ? h("p", {}, `${count(repairs, "repair")}: parts of the labels that make no sense and are left out.`) : null);
}

/** Why there are no labels: the graph is no tree. */
export function showNoTree(place, why) {
  refill(place,
    h("h2", {}, h("span", { class: "mark bad", "aria-hidden": "true" }, "✕"), " Not a tree"),
    h("p", {}, why),
    h("p", { class: "hint" }, "Draw an arc to give a word another head, delete one, or choose the example “A tree”."));
}

/** The label of a word, part by part; it can be changed. `actions` has change(word, label) and restore(). */
export function showLabel(place, word, { words, labels, original, parts, family }, actions) {
  if (!word) {
    refill(place, h("h2", {}, "What a label says"), h("p", { class: "hint" }, "Choose a word to see what each part of its label stands for, and to change it."));
    return;
  }
  const changed = labels[word - 1] !== original[word - 1];
  const field = h("input", {
    type: "text", value: labels[word - 1], spellcheck: "false", autocomplete: "off", autocapitalize: "off", "aria-label": `Label of word ${word}`,
    on: { change: () => actions.change(word, field.value.trim()) },
  });
  const meanings = changed ? [] : parts?.[word - 1] ?? [];
  refill(place,
    h("h2", {}, `Word ${word} `, h("i", { class: "mention", dir: "auto" }, words[word - 1])),
    h("div", { class: "label-edit" }, field, labels.some((label, i) => label !== original[i]) ? button("Restore labels", actions.restore) : null),
    changed ? h("p", {}, "The label of the graph is ", h("code", {}, original[word - 1]), ".") : null,
    meanings.length ? h("dl", { class: "parts" }, meanings.flatMap((part, i) => meaningOf(part, i, meanings, family, words))) : null,
    !changed && !meanings.length ? h("p", { class: "hint" }, "The label is empty: no arc touches the word here.") : null);
}

/** "plane 1, bit 2: …" is set in the colour of plane 1. */
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
