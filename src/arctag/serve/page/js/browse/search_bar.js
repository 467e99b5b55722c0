// @ts-check
// The controls that narrow a treebank down: what to search for, and what else sentences must be like.
import { button, choice, freshId, menu, tick } from "../ui/controls.js";
import { count, digits, h, refill } from "../ui/dom.js";
import { arcsOf } from "../graph/graphs.js";
import { EXAMPLES, KINDS } from "./searching.js";

/** @typedef {import("./state.js").State} State */

const WAIT = 250; // milliseconds after the last key

/** @param {string} kind */
const placeholderOf = (kind) => KINDS.find(([name]) => name === kind)?.[2] ?? "";

/**
 * The controls. `actions` has: find(query), narrow(facets), showConfusion(null).
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ find: (query: State["query"]) => void, narrow: (changes: Partial<State["facets"]>) => void, showConfusion: (confusion: null) => void }} actions
 */
export function searchBar(store, actions) {
  let timer = 0;
  const [id, errorId] = [freshId("search"), freshId("search-error")];
  const kind = choice("Find", KINDS.map(([name, title]) => [name, title]), "form", (name) => actions.find({ kind: name, text: input.value }));
  const known = h("datalist", { id: `${id}-known` });
  const input = h("input", {
    id, type: "search", autocomplete: "off", spellcheck: "false", autocapitalize: "off", "aria-label": "Search", "aria-describedby": errorId, list: known.id,
    on: {
      input: () => { clearTimeout(timer); timer = window.setTimeout(find, WAIT); },
      change: find,
    },
  });
  const help = menu("Examples", (close) => [
    h("p", { class: "menu-note" }, "A pattern is words with relations between them. Conditions on one word stand in brackets, > leads from a head to a dependent."),
    ...EXAMPLES.map(([pattern, about]) => h("div", { class: "example-row" },
      button(pattern, () => { close(); actions.find({ kind: "", text: pattern }); }, { class: "link code" }), h("span", {}, about))),
  ]);
  const found = h("p", { class: "status found-count", role: "status" });
  const error = h("p", { class: "field-error", id: errorId, role: "alert", hidden: true });
  const planes = choice("Planes", [["0", "any"], ["2", "2 or more"], ["3", "3 or more"], ["4", "4 or more"]], "0", (value) => actions.narrow({ planes: Number(value) }));
  const cyclic = tick("Cyclic", false, (on) => actions.narrow({ cyclic: on }));
  const broken = tick("Broken", false, (on) => actions.narrow({ broken: on }));
  const wrong = tick("With mistakes", false, (on) => actions.narrow({ wrong: on }));
  const confusion = h("span", { class: "chip-button", hidden: true });
  const element = h("div", { class: "controls search-row" },
    h("div", { class: "field search-field" }, kind.element, input, known, help), planes.element, cyclic.element, broken.element, wrong.element, confusion, found, error);

  function find() {
    clearTimeout(timer);
    if (input.value !== store.state.query.text) actions.find({ kind: kind.select.value, text: input.value });
  }

  store.watch(["query"], ({ query }) => {
    if (input.value !== query.text) input.value = query.text;
    kind.select.value = query.kind;
    input.placeholder = placeholderOf(query.kind);
    offerKnown(store.state);
  });
  store.watch(["facets", "other"], ({ facets, other }) => {
    planes.select.value = String(facets.planes);
    for (const [{ box }, on] of /** @type {const} */ ([[cyclic, facets.cyclic], [broken, facets.broken], [wrong, facets.wrong]])) box.checked = on;
    wrong.element.hidden = !other.kind;
  });
  store.watch(["confusion"], ({ confusion: chosen }) => {
    confusion.hidden = !chosen;
    if (chosen) refill(confusion, `${chosen.gold || "nothing"} → ${chosen.predicted || "nothing"} `, button("×", () => actions.showConfusion(null), { class: "quiet icon", "aria-label": "Show all sentences again" }));
  });
  store.watch(["search", "gold"], ({ search, gold }) => {
    error.hidden = !search.error;
    error.textContent = search.error;
    if (search.error) input.setAttribute("aria-invalid", "true");
    else input.removeAttribute("aria-invalid");
    const far = search.running ? `, ${digits(search.searched)} of ${digits(gold.sentences.length)} searched` : "";
    found.textContent = search.pattern ? `${count(search.matches, "match", "matches")} in ${count(search.found.size, "sentence")}${far}` : "";
  });
  store.watch(["gold"], (state) => { if (state.gold.whole) offerKnown(state); });

  /** Offer the relations, or the tags, that the treebank has. @param {State} state */
  function offerKnown({ query, gold, look }) {
    /** @type {Set<string>} */
    const names = new Set();
    if (query.kind === "rel" && gold.whole) {
      for (const sentence of gold.sentences) if (sentence.words) for (const arc of arcsOf(sentence, look.graph)) for (const relation of arc.relations) names.add(relation);
    }
    if (query.kind === "tag" && gold.whole) for (const sentence of gold.sentences) for (const tag of sentence.tags ?? []) names.add(tag);
    refill(known, [...names].sort().slice(0, 1000).map((name) => h("option", { value: name })));
  }

  input.placeholder = placeholderOf("form");
  wrong.element.hidden = true;
  return { element };
}
