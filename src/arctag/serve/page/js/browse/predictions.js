// Predictions beside the gold treebank: where they come from, and how each sentence compares.
import { choice, setOptions } from "../ui/controls.js";
import { count, h } from "../ui/dom.js";
import { compare, pooled, scores } from "./compare.js";
import { fileButton } from "./opener.js";
import { fileSource, modelSource } from "./prediction_sources.js";
import { emptyTreebank, readTreebank } from "./treebank.js";

const PARSE = "parse with ";

/**
 * The controls and the comparisons. `goldOf` gives the gold treebank, `currentOf` the number of the sentence that is
 * shown; `onMore` is called as predictions come.
 */
export function predictionControls(goldOf, currentOf, onMore) {
  let models = [];
  let source = null;
  let file = null; // the second treebank, if the predictions come from one
  let work = new AbortController();
  let verdicts = new Map();

  const chosen = choice("Compare with", [["", "nothing"]], "", choose);
  const total = h("p", { class: "total", role: "status" });
  const element = h("div", { class: "controls compare-row" }, chosen.element, fileButton("A second file", openFile), total);

  function stop() {
    work.abort();
    work = new AbortController();
    [source, file] = [null, null];
    verdicts = new Map();
    offer("");
  }

  function offer(value) {
    const options = [["", "nothing"], ...models.map((model) => [PARSE + model, PARSE + model])];
    if (file) options.push([file.name, file.name]);
    setOptions(chosen.select, options, value);
  }

  function choose(value) {
    stop();
    if (value.startsWith(PARSE)) source = modelSource(goldOf(), value.slice(PARSE.length), currentOf(), more, work.signal);
    offer(value);
    more();
  }

  function openFile(chosenFile) {
    stop();
    file = emptyTreebank(chosenFile.name);
    source = fileSource(goldOf(), file);
    offer(file.name);
    return readTreebank(file, chosenFile, more, work.signal);
  }

  function more() {
    showTotal();
    onMore();
  }

  /** How a gold sentence compares: undefined if nothing is compared, { waiting } until its prediction is there. */
  function of(i) {
    const gold = goldOf().sentences[i];
    if (!source || gold.error) return undefined;
    const sentence = source.find(i);
    if (!sentence) return file?.whole ? { compared: { problem: "the other file has no such sentence" } } : { waiting: true };
    if (sentence.error) return { compared: { problem: sentence.error } };
    if (!verdicts.has(i)) verdicts.set(i, compare(gold, sentence));
    return { sentence, compared: verdicts.get(i) };
  }

  function showTotal() {
    const parts = [file?.failure, source?.failure?.()].filter(Boolean);
    const all = source ? goldOf().sentences.map((_, i) => of(i)?.compared?.counts).filter(Boolean) : [];
    if (all.length) {
      const { UF, LF } = scores(pooled(all));
      parts.push(`UF ${UF.toFixed(2)} · LF ${LF.toFixed(2)} over ${count(all.length, "sentence")}`);
    }
    total.textContent = parts.join(" · ");
  }

  return {
    element, stop, openFile, of, showTotal,
    setModels: (names) => { models = names; offer(chosen.select.value); },
    active: () => source !== null,
    name: () => source?.name ?? "",
    want: (i) => source?.want?.(i),
    isWrong: (i) => of(i)?.compared?.right === false,
    stamp: (i) => { // changes whenever the comparison of the sentence does
      const found = of(i);
      return found ? found.compared?.problem ?? (found.waiting ? "waiting" : "compared") : "";
    },
  };
}
