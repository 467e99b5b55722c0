// @ts-check
// The state of the lesson: a graph, an encoding, what the service says of them, and how far it has been stepped through.

/** @typedef {import("./graph.js").Graph} Graph */
/** @typedef {import("./edges.js").LessonEdge} LessonEdge */
/** @typedef {import("./edges.js").Step} Step */
/** @typedef {{ labels: string[], planes: number[], decoded: import("../types").Ends[], null_arcs: any[], nulls?: number[][], why?: (string | null)[], parts?: { text: string, meaning: string }[][] }} Encoded */
/** @typedef {{ steps: Step[], repairs: number, refusal?: string }} Traced */

/** What is shown: a graph with its labels, and the steps that lead back. @typedef {{ graph: Graph, encoded: Encoded, labels: string[], traced: Traced, edges: LessonEdge[], noTree: string }} Answer */

/** A word, or an arc by its ends; `from` is the word from which keys went to it. @typedef {{ word: number } | { head: number, dependent: number, from?: number }} Chosen */

/** A graph to go back to. @typedef {{ graph: Graph, example: string }} Past */

export function firstState() {
  return {
    /** @type {import("./families.js").Family[]} */
    families: [],
    /** @type {Graph} */
    graph: { words: [], arcs: [] },
    example: "",
    family: "",
    planes: 2,
    crossing: "relaxed",
    assign: "greedy",
    /** Labels that were changed by hand. @type {string[] | null} */
    changed: null,
    showNulls: true,
    showRelations: true,
    /** @type {Past[]} */
    past: [],
    /** Where editing began. @type {Past} */
    origin: { graph: { words: [], arcs: [] }, example: "" },
    /** @type {Answer | null} */
    answer: null,
    /** How many steps are shown; one more than there are when all is done. */
    position: 0,
    /** @type {Chosen | null} */
    chosen: null,
    /** A head that waits for its dependent. @type {number | null} */
    inHand: null,
    busy: false,
    error: "",
    wordsError: "",
    labelError: "",
  };
}

/** @typedef {ReturnType<typeof firstState>} State */

/** The position when all steps are done. @param {State} state */
export function lastPosition({ answer }) {
  const steps = answer?.traced.refusal ? 0 : answer?.traced.steps.length ?? 0;
  return steps ? steps + 1 : 0;
}

/** The name of a word. @param {Pick<State, "graph">} state @param {number} word */
export function nameOf({ graph }, word) {
  return word === 0 ? "root" : graph.words[word - 1];
}
