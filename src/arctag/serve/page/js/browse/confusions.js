// @ts-check
// Which relations are taken for which, as a table that leads to the sentences.
import { button } from "../ui/controls.js";
import { count, digits, h, refill } from "../ui/dom.js";
import { meaningOf, schemeOf } from "../relations.js";

/** @typedef {import("./state.js").State} State */

const AT_FIRST = 20; // rows

/**
 * The table; `show` is called with the pair of relations whose sentences are wanted.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {(confusion: State["confusion"]) => void} show
 */
export function confusionTable(store, show) {
  let all = false;
  const place = h("div", { class: "table-box", tabindex: 0, role: "group", "aria-label": "Confusions" });
  const summary = h("summary", {}, "Mistakes by relation");
  const element = h("details", { class: "card confusions", hidden: true }, summary, place);
  element.addEventListener("toggle", draw);
  store.watch(["tally", "other", "confusion"], draw);

  function draw() {
    const { tally, other, confusion, look } = store.state;
    element.hidden = !other.kind || !tally.confusions.size;
    const sum = [...tally.confusions.values()].reduce((total, one) => total + one.count, 0);
    summary.textContent = `Mistakes by relation: ${count(sum, "mistake")}`;
    if (element.hidden || !element.open) return;
    const sorted = [...tally.confusions.values()].sort((a, b) => b.count - a.count || a.gold.localeCompare(b.gold) || a.predicted.localeCompare(b.predicted));
    const rows = all ? sorted : sorted.slice(0, AT_FIRST);
    const scheme = schemeOf(look.graph, sorted.flatMap((one) => [one.gold, one.predicted]).filter(Boolean));
    const name = (/** @type {string} */ relation, /** @type {string} */ nothing, more = "") =>
      h("td", { title: relation ? meaningOf([relation], scheme) : undefined }, relation || h("i", {}, nothing), more ? h("i", {}, more) : null);
    const same = (/** @type {import("./tally.js").Confusion} */ one) => confusion?.gold === one.gold && confusion?.predicted === one.predicted;
    refill(place,
      h("table", {},
        h("caption", { class: "unseen" }, "Which relations are taken for which"),
        h("thead", {}, h("tr", {}, ["Gold", "Predicted", "Arcs", "Sentences"].map((text) => h("th", { scope: "col" }, text)))),
        h("tbody", {}, rows.map((one) => h("tr", { class: same(one) ? "chosen" : "" },
          name(one.gold, "no arc"), name(one.predicted, "no arc", one.gold === one.predicted ? " of another head" : ""), h("td", {}, digits(one.count)),
          h("td", {}, button(digits(one.sentences.size), () => show(same(one) ? null : { gold: one.gold, predicted: one.predicted }), {
            class: "link", "aria-label": `Show ${count(one.sentences.size, "sentence")} with ${one.gold || "no arc"} taken for ${one.predicted || "no arc"}`,
          })))))),
      sorted.length > AT_FIRST ? button(all ? "Show fewer" : `Show all ${digits(sorted.length)}`, () => { all = !all; draw(); }, { class: "quiet" }) : null);
  }

  return { element };
}
