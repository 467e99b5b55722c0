// @ts-check
// The state of the view: the treebank, what is searched for in it, what it is compared with, and which sentence is shown.
import { isCyclic, arcsOf, planesOf } from "../graph/graphs.js";
import { firstLook } from "../ui/look.js";
import { confusionKey, emptyTally, mistakesIn } from "./tally.js";
import { emptyTreebank } from "./treebank.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("./searching.js").Match} Match */

/** What is asked of sentences beside a pattern. */
export const NO_FACETS = { planes: 0, cyclic: false, broken: false, wrong: false };

/** Nothing searched for. */
export function noSearch() {
  return {
    pattern: "",
    /** The matches in each sentence. @type {Map<number, Match[]>} */
    found: new Map(),
    matches: 0,
    /** How many sentences have been searched. */
    searched: 0,
    running: false,
    error: "",
  };
}

/** Nothing compared. */
export function noOther() {
  return {
    /** Where the prediction comes from. @type {"" | "model" | "file"} */
    kind: "",
    /** The model, by name, or the file. */
    name: "",
    /** What the page calls it: "parsed with English". */
    title: "",
    /** The second file. @type {import("./treebank.js").Treebank | null} */
    file: null,
    /** The predicted sentences by the number of their gold one. @type {Map<number, Sentence>} */
    sentences: new Map(),
    failure: "",
  };
}

export function firstState() {
  return {
    gold: emptyTreebank(""),
    /** What is open: nothing, the example, one of the service's files, or one of the reader's. @type {{ kind: "" | "sample" | "served" | "file", number: number }} */
    origin: { kind: "", number: 0 },
    /** The files that the service was given. @type {{ number: number, name: string }[]} */
    served: [],
    /** @type {import("../types").Model[]} */
    models: [],
    /** What is typed, and as what it is meant. */
    query: { kind: "form", text: "" },
    search: noSearch(),
    facets: NO_FACETS,
    /** A pair of relations whose sentences are wanted. @type {{ gold: string, predicted: string } | null} */
    confusion: null,
    /** The numbers of the sentences that pass. @type {number[]} */
    hits: [],
    /** The one shown, as its place among the hits. */
    at: 0,
    /** A sentence to show as soon as it is among the hits. @type {number | null} */
    wanted: /** @type {number | null} */ (null),
    look: firstLook(),
    /** @type {"both" | "gold" | "predicted"} */
    side: "both",
    other: noOther(),
    tally: emptyTally(""),
    /** The mistake that is pointed out in the sentence shown, by its number among them; -1 for none. */
    mistake: -1,
  };
}

/** @typedef {ReturnType<typeof firstState>} State */

/** The sentence that is shown; undefined if none passes. @param {State} state */
export function currentOf({ gold, hits, at }) {
  return gold.sentences[hits[at]];
}

/** Whether a sentence passes the search, the facets and the choice of a confusion. @param {State} state @param {number} i */
export function passes({ gold, facets, search, confusion, tally, look, other }, i) {
  const sentence = gold.sentences[i];
  if (facets.broken) return Boolean(sentence.error);
  const asked = search.pattern || facets.planes || facets.cyclic || facets.wrong || confusion;
  if (sentence.error) return !asked;
  if (search.pattern && !search.found.has(i)) return false;
  if (facets.planes && planesOf(sentence, look.graph) < facets.planes) return false;
  if (facets.cyclic && !isCyclic(arcsOf(sentence, look.graph), sentence.words.length)) return false;
  if (facets.wrong && other.kind && tally.verdicts.get(i)?.right !== false) return false;
  return !confusion || Boolean(tally.confusions.get(confusionKey(confusion.gold, confusion.predicted))?.sentences.has(i));
}

/** The wrong edges of a sentence, by number, from left to right; with a confusion chosen, those that belong to it. @param {State} state @param {number} i */
export function mistakesOf({ tally, confusion }, i) {
  const mistakes = mistakesIn(tally.verdicts.get(i)?.edges ?? []);
  const wanted = mistakes.filter(({ gold, predicted }) => !confusion || (gold === confusion.gold && predicted === confusion.predicted));
  return [...new Set(wanted.flatMap(({ edges }) => edges))].sort((a, b) => a - b);
}
