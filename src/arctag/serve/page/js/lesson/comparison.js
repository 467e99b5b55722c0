// @ts-check
// The same graph in every encoding, side by side.
import { messageOf, post } from "../api.js";
import { h, refill } from "../ui/dom.js";
import { treeFault } from "./checks.js";
import { encodingName } from "./families.js";
import { labelLines } from "./labels.js";
import { bareArc } from "./lesson.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {{ name: string, family: string, labels: string[], covered: number }} Row */

/** @param {Graph} graph @param {State} state @param {string} family @returns {Promise<Row>} */
async function rowOf(graph, state, family) {
  const name = encodingName({ ...state, family });
  const answer = await post("api/encode", { words: graph.words, arcs: graph.arcs.map(bareArc), encoding: name, planes: state.assign, crossing: state.crossing });
  return { name, family, labels: answer.labels, covered: answer.covered.filter(Boolean).length };
}

/** @param {string} label @param {string} family */
function labelCell(label, family) {
  return h("td", {}, labelLines(label, family).map((line) =>
    h("span", { class: "label-line" }, line.map(({ text, look }) => h("span", { class: look }, text)))));
}

/** @param {Graph} graph @param {Row[]} rows */
function table(graph, rows) {
  return h("table", {},
    h("caption", { class: "unseen" }, "The labels of this graph in every encoding"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Encoding"), h("th", { scope: "col" }, "Arcs"), h("th", { scope: "col" }, "Labels"),
      graph.words.map((word) => h("th", { scope: "col", class: "mention", dir: "auto" }, word)))),
    h("tbody", {}, rows.map((row) => h("tr", {},
      h("th", { scope: "row" }, row.name),
      h("td", { class: row.covered < graph.arcs.length ? "short" : "" }, `${row.covered}/${graph.arcs.length}`),
      h("td", {}, String(new Set(row.labels).size)),
      row.labels.map((label) => labelCell(label, row.family))))));
}

/**
 * A panel that, once opened, keeps up with the graph.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: () => void) => void }} store
 */
export function comparison(store) {
  const place = h("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": "All encodings" });
  const element = h("details", { class: "card comparison" }, h("summary", {}, "This graph in every encoding"), place);

  async function show() {
    const { state } = store;
    const { graph } = state;
    if (!element.open || !graph.words.length) return;
    try {
      const isTree = !treeFault(graph);
      const suited = state.families.filter((one) => isTree || !one.treesOnly);
      const rows = await Promise.all(suited.map(({ family }) => rowOf(graph, state, family)));
      if (store.state.graph === graph) refill(place, table(graph, rows));
    } catch (error) {
      refill(place, h("p", { class: "notice bad" }, messageOf(error)));
    }
  }

  element.addEventListener("toggle", show);
  store.watch(["answer"], show);
  return { element };
}
