// @ts-check
// What can be done with a treebank: open it, search it, compare it, go through it. Each function changes the state.
import { getFile, isAbort, messageOf } from "../api.js";
import { MAIN } from "../graph/graphs.js";
import { INFO } from "../info.js";
import { keepLook, settled } from "../ui/look.js";
import { graphsOf } from "./contents.js";
import { matchesIn, patternOf } from "./searching.js";
import { layerFor, matchById, nameInFile, parseAll } from "./sources.js";
import { mistakesOf, NO_FACETS, noOther, noSearch, passes } from "./state.js";
import { emptyTally, take } from "./tally.js";
import { emptyTreebank, readTreebank } from "./treebank.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types").Sentence} Sentence */

const SAMPLE = ["gold.conllu", "predicted.conllu"];

/**
 * The browser; `tell` shows a line for a few seconds.
 *
 * @param {{ state: State, set: (changes: Partial<State>) => void }} store
 * @param {(text: string, bad?: boolean) => void} tell
 */
export function browser(store, tell) {
  let reading = new AbortController();
  let searching = new AbortController();
  let comparing = new AbortController();
  /** How many sentences have been asked whether they pass. */
  let filtered = 0;

  /** Read a file in place of the one that is open. @param {File} file @param {State["origin"]} origin */
  async function start(file, origin) {
    reading.abort();
    searching.abort();
    comparing.abort();
    reading = new AbortController();
    filtered = 0;
    const gold = emptyTreebank(file.name);
    store.set({
      gold, origin, hits: [], at: 0, wanted: null, query: { kind: store.state.query.kind, text: "" }, search: noSearch(), facets: NO_FACETS, confusion: null,
      other: noOther(), tally: emptyTally(""), mistake: -1, look: { ...store.state.look, graph: MAIN, below: "" },
    });
    const { signal } = reading;
    await readTreebank(gold, file, () => { if (!signal.aborted) grown(gold); }, signal);
  }

  /** More of the file has been read. @param {import("./treebank.js").Treebank} gold */
  function grown(gold) {
    const look = settled(store.state.look, graphsOf(gold.sentences));
    const changed = look.graph !== store.state.look.graph || look.below !== store.state.look.below;
    store.set({ gold: { ...gold }, ...(changed ? { look } : {}) });
    if (changed) filtered = 0;
    extendHits();
    if (store.state.search.pattern && !store.state.search.running) search(store.state.search.pattern, store.state.search.searched);
    if (store.state.other.kind === "file") matchFile();
  }

  /** Add the new sentences that pass. */
  function extendHits() {
    const { state } = store;
    const hits = filtered ? [...state.hits] : [];
    for (; filtered < state.gold.sentences.length; filtered += 1) if (passes(state, filtered)) hits.push(filtered);
    store.set({ hits });
  }

  /** Ask all sentences again whether they pass; the one that is shown stays, if it does. */
  function refilter() {
    const { state } = store;
    const current = state.wanted ?? state.hits[state.at];
    const hits = state.gold.sentences.map((_, i) => i).filter((i) => passes(state, i));
    filtered = state.gold.sentences.length;
    const same = hits.length === state.hits.length && hits.every((hit, i) => hit === state.hits[i]);
    store.set({ hits: same ? state.hits : hits, at: Math.max(0, hits.indexOf(current)) });
  }

  /** Search for a pattern from a sentence on; what is found appears as it comes. @param {string} pattern */
  async function search(pattern, start = 0) {
    searching.abort();
    searching = new AbortController();
    const { signal } = searching;
    if (!pattern) {
      store.set({ search: noSearch() });
      refilter();
      return;
    }
    const before = start ? store.state.search : { ...noSearch(), pattern };
    store.set({ search: { ...before, running: true, error: "" } });
    const layer = store.state.look.graph === MAIN ? undefined : store.state.look.graph;
    try {
      for await (const { end, found, total } of matchesIn(store.state.gold, start, pattern, layer, signal)) {
        if (signal.aborted) return;
        const now = store.state.search;
        store.set({ search: { ...now, found: new Map([...now.found, ...found]), matches: now.matches + total, searched: end } });
        refilter();
      }
      const { search: now, gold } = store.state;
      const searched = gold.sentences.length;
      store.set({ search: { ...now, running: false, searched: Math.max(now.searched, start) } });
      refilter();
      if (now.searched < searched && gold.sentences.slice(now.searched).some((sentence) => !sentence.error)) search(pattern, now.searched);
    } catch (error) {
      if (signal.aborted || isAbort(error)) return;
      store.set({ search: { ...noSearch(), pattern: "", error: messageOf(error) } });
      refilter();
    }
  }

  /** Show another sentence, by its place among the hits. @param {number} at */
  function goTo(at) {
    const { hits } = store.state;
    if (hits.length) store.set({ at: Math.max(0, Math.min(at, hits.length - 1)), mistake: -1, wanted: null });
  }

  function stopComparing() {
    comparing.abort();
    comparing = new AbortController();
    store.set({ other: noOther(), tally: emptyTally(store.state.look.graph), mistake: -1, confusion: null, facets: { ...store.state.facets, wrong: false } });
  }

  /** What the prediction calls the graph that is shown. */
  function theirGraph() {
    const { other, gold, look, models } = store.state;
    const model = models.find((one) => one.name === other.name);
    if (other.kind === "model" && model) return layerFor(look.graph, gold, model) ?? look.graph;
    return other.file ? nameInFile(look.graph, other.file) : look.graph;
  }

  /** Compare sentences whose prediction has come. @param {number[]} numbers */
  function compareThem(numbers) {
    const { gold, other, tally, look } = store.state;
    const now = tally.graph === look.graph ? { ...tally } : emptyTally(look.graph);
    const name = theirGraph();
    for (const i of numbers) {
      const predicted = other.sentences.get(i);
      if (predicted && !predicted.error && !gold.sentences[i].error && !now.verdicts.has(i)) take(now, i, gold.sentences[i], predicted, name);
    }
    store.set({ tally: now });
    if (store.state.facets.wrong || store.state.confusion) refilter();
  }

  /** The graph that is shown is another one: compare all again. */
  function compareAgain() {
    store.set({ tally: emptyTally(store.state.look.graph), mistake: -1, confusion: null });
    if (store.state.other.kind) compareThem([...store.state.other.sentences.keys()]);
  }

  /** Match the sentences of the second file, as far as both are read. */
  function matchFile() {
    const { gold, other } = store.state;
    if (!other.file) return;
    const find = matchById(gold, other.file);
    const numbers = gold.sentences.map((_, i) => i).filter((i) => !other.sentences.has(i) && !gold.sentences[i].error);
    for (const i of numbers) {
      const found = find(i);
      if (found) other.sentences.set(i, found);
    }
    store.set({ other: { ...other } });
    compareThem(numbers);
  }

  /** @param {File} file */
  async function compareWithFile(file) {
    stopComparing();
    const bank = emptyTreebank(file.name);
    const { signal } = comparing;
    store.set({ other: { ...noOther(), kind: "file", name: file.name, title: `as in ${file.name}`, file: bank }, side: "both" });
    await readTreebank(bank, file, () => {
      if (signal.aborted) return;
      store.set({ other: { ...store.state.other, file: bank, failure: bank.failure } });
      matchFile();
    }, signal);
  }

  /** @param {string} name */
  function compareWithModel(name) {
    stopComparing();
    const model = store.state.models.find((one) => one.name === name);
    if (!model) return;
    store.set({ other: { ...noOther(), kind: "model", name, title: `parsed with ${model.title}` }, side: "both" });
    const { signal } = comparing;
    parseAll(() => store.state.gold, model, () => store.state.hits[store.state.at] ?? 0, (numbers, sentences) => {
      if (signal.aborted) return;
      const { other } = store.state;
      numbers.forEach((i, at) => { other.sentences.set(i, sentences[at]); });
      store.set({ other: { ...other } });
      compareThem(numbers);
    }, (failure) => { if (!signal.aborted) store.set({ other: { ...store.state.other, failure } }); }, signal);
  }

  return {
    goTo, refilter, compareWithFile, compareWithModel, stopComparing,

    openFile: (/** @type {File} */ file) => start(file, { kind: "file", number: 0 }),

    /** Open one of the files that the service was given. @param {number} number */
    async openServed(number) {
      const found = store.state.served.find((one) => one.number === number);
      if (!found) return;
      try {
        await start(await getFile(`api/files/${number}`, found.name), { kind: "served", number });
      } catch (error) {
        tell(messageOf(error), true);
      }
    },

    async openSample() {
      try {
        const [first, second] = await Promise.all(SAMPLE.map((name) => getFile(`static/examples/${name}`, name)));
        const read = start(first, { kind: "sample", number: 0 });
        await Promise.all([read, compareWithFile(second)]);
      } catch (error) {
        tell(messageOf(error), true);
      }
    },

    /** Show a sentence; where a search is under way, as soon as it has come there. @param {number} i */
    showSentence(i) {
      store.set({ wanted: i });
      refilter();
    },

    /** Search for what is typed. @param {State["query"]} query */
    find(query) {
      store.set({ query });
      const pattern = patternOf(query.kind, query.text);
      if (pattern.length > INFO.limits.pattern) store.set({ search: { ...noSearch(), error: `A pattern has at most ${INFO.limits.pattern} characters.` } });
      else if (pattern !== store.state.search.pattern || store.state.search.error) search(pattern);
    },

    /** @param {Partial<State["facets"]>} changes */
    narrow(changes) {
      store.set({ facets: { ...store.state.facets, ...changes } });
      refilter();
    },

    /** Show the sentences in which one relation is taken for another; null for all. @param {State["confusion"]} confusion */
    showConfusion(confusion) {
      store.set({ confusion, mistake: -1 });
      refilter();
      goTo(0);
      if (confusion && store.state.hits.length) store.set({ mistake: 0 });
    },

    /** Draw pictures in another way. @param {Partial<State["look"]>} changes */
    lookAt(changes) {
      const { look, search: { pattern } } = store.state;
      const next = settled({ ...look, ...changes }, graphsOf(store.state.gold.sentences));
      store.set({ look: next });
      keepLook(next);
      if (next.graph === look.graph) return;
      compareAgain();
      refilter();
      if (pattern) search(pattern); // in the graph that is shown now
    },

    /** Point out the next mistake, in this sentence or the next that has one; `by` is -1 for the one before. @param {number} by */
    nextMistake(by) {
      const { state } = store;
      const { hits, at, mistake } = state;
      const own = mistakesOf(state, hits[at]);
      const next = mistake < 0 && by < 0 ? -1 : mistake + by;
      if (next >= 0 && next < own.length) {
        store.set({ mistake: next });
        return;
      }
      for (let step = 1; step <= hits.length; step += 1) {
        const place = (at + by * step + hits.length * step) % hits.length;
        const found = mistakesOf(state, hits[place]);
        if (found.length) {
          store.set({ at: place, mistake: by > 0 ? 0 : found.length - 1 });
          return;
        }
      }
      tell("No mistakes so far.");
    },

    /** The predicted sentence beside a gold one, and how they compare. @param {number} i */
    comparisonOf(i) {
      const { gold, other, tally } = store.state;
      if (!other.kind || gold.sentences[i]?.error) return undefined;
      const sentence = other.sentences.get(i);
      if (sentence?.error) return { problem: sentence.error };
      const verdict = tally.verdicts.get(i);
      if (sentence && verdict) return verdict.problem ? { problem: verdict.problem } : { sentence, verdict, theirGraph: theirGraph() };
      if (other.kind === "file" && other.file?.whole) return { problem: "the other file has no such sentence" };
      return { waiting: true };
    },
  };
}
