// @ts-check
// The controls of a comparison: with what, how far it is, how good it is, and the way from mistake to mistake.
import { button, choice, setOptions } from "../ui/controls.js";
import { count, digits, h } from "../ui/dom.js";
import { scoreText } from "./compare.js";
import { fileButton } from "./opener.js";
import { lacksGraph } from "./sources.js";

/** @typedef {import("./state.js").State} State */

const MODEL = "model ";

/** "UPOS 95.30" @param {State["tally"]["columns"]} columns */
function columnTexts(columns) {
  return Object.entries(columns).map(([name, { right, all }]) => `${name} ${all ? ((100 * right) / all).toFixed(2) : "–"}`);
}

/**
 * The controls. `actions` has: withModel(name), withFile(file), stop(), nextMistake(by).
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ withModel: (name: string) => void, withFile: (file: File) => void, stop: () => void, nextMistake: (by: number) => void }} actions
 */
export function compareBar(store, actions) {
  const chosen = choice("Compare with", [["", "nothing"]], "", (value) => (value.startsWith(MODEL) ? actions.withModel(value.slice(MODEL.length)) : actions.stop()));
  const total = h("p", { class: "total", role: "status" });
  const far = h("p", { class: "status far", hidden: true });
  const bar = h("progress", { class: "bar compare-bar", max: 1, "aria-label": "Compared", hidden: true });
  const before = button("← mistake", () => actions.nextMistake(-1), { "aria-label": "Previous mistake (P)", title: "Previous mistake (P)" });
  const after = button("mistake →", () => actions.nextMistake(1), { "aria-label": "Next mistake (N)", title: "Next mistake (N)" });
  const mistakes = h("span", { class: "mistakes", hidden: true }, before, after);
  const element = h("div", { class: "compare" },
    h("div", { class: "controls compare-row" }, chosen.element, fileButton("A second file", actions.withFile), mistakes, far, total), bar);

  store.watch(["models", "other"], ({ models, other }) => {
    const options = [["", "nothing"], ...models.map((model) => [MODEL + model.name, `parse with ${model.title}`])];
    if (other.kind === "file") options.push([other.name, other.name]);
    setOptions(chosen.select, options, other.kind === "model" ? MODEL + other.name : other.name);
  });
  store.watch(["other", "tally", "gold", "look"], show);

  /** @param {State} state */
  function show({ other, tally, gold, look, models }) {
    const readable = gold.sentences.filter((sentence) => !sentence.error).length;
    const done = tally.verdicts.size;
    const model = models.find((one) => one.name === other.name);
    const lacks = other.kind === "model" && model ? lacksGraph(look.graph, gold, model) : "";
    mistakes.hidden = !other.kind || !tally.wrong;
    far.hidden = !other.kind || done >= readable || Boolean(other.failure);
    far.textContent = `${digits(done)} of ${digits(readable)}`;
    bar.hidden = far.hidden;
    bar.value = readable ? done / readable : 0;
    const parts = [other.failure, lacks].filter(Boolean);
    if (other.kind && tally.compared && !lacks) parts.push(`${scoreText(tally.counts, look.graph)} over ${count(tally.compared, "sentence")}`, ...columnTexts(tally.columns));
    total.textContent = parts.join(" · ");
  }

  return { element };
}
