// The same graph in every encoding, side by side.
import { post } from "../api.js";
import { h, refill } from "../ui/dom.js";
import { treeFault } from "./checks.js";
import { encodingName } from "./chooser.js";
import { labelLines } from "./labels.js";

async function rowOf(graph, state, families, family) {
  const name = encodingName({ ...state, family }, families);
  const answer = await post("api/encode", { words: graph.words, arcs: graph.arcs.map(bareArc), encoding: name, planes: state.assign, crossing: state.crossing });
  return { name, family, labels: answer.labels, covered: answer.covered.filter(Boolean).length };
}

/** An arc as the service expects it. */
export function bareArc({ head, dependent }) {
  return { head, dependent };
}

function labelCell(label, family) {
  return h("td", {}, labelLines(label, family).map((line) =>
    h("span", { class: "label-line" }, line.map(({ text, look }) => h("span", { class: look }, text)))));
}

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

/** A panel that, once opened, keeps up with the graph. */
export function comparison(families) {
  const place = h("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": "All encodings" });
  const element = h("details", { class: "card comparison" }, h("summary", {}, "This graph in every encoding"), place);
  let latest = null;

  async function show() {
    const request = latest;
    if (!element.open || !request) return;
    try {
      const isTree = !treeFault(request.graph);
      const suited = families.filter((one) => isTree || !one.treesOnly);
      const rows = await Promise.all(suited.map(({ family }) => rowOf(request.graph, request.state, families, family)));
      if (request === latest) refill(place, table(request.graph, rows));
    } catch (error) {
      refill(place, h("p", { class: "notice bad" }, error.message));
    }
  }

  element.addEventListener("toggle", show);
  return { element, update: (graph, state) => { latest = { graph, state: { ...state } }; show(); } };
}
