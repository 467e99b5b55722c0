// @ts-check
// What can be done in a lesson: each function changes the state, and asks the service where it must.
import { messageOf, post } from "../api.js";
import { stepsFault, treeFault, wordsFault } from "./checks.js";
import { lessonEdges } from "./edges.js";
import { exampleOf } from "./examples.js";
import { encodingName, isForTrees } from "./families.js";
import { hasArc, makeGraph, withArc, withHead, withoutArc, withRelation, withWords } from "./graph.js";
import { lastPosition, nameOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Encoded} Encoded */
/** @typedef {import("./state.js").Traced} Traced */
/** @typedef {import("./graph.js").Graph} Graph */

const MOST_UNDO = 100;

/** An arc as the service expects it. @param {import("../types").Ends} arc */
export const bareArc = ({ head, dependent }) => ({ head, dependent });

/**
 * The lesson; `tell` shows a line for a few seconds, `onStep` is called before a choice that one may want to go back from.
 *
 * @param {{ state: State, set: (changes: Partial<State>) => void }} store
 * @param {(text: string, bad?: boolean) => void} tell
 * @param {() => void} onStep
 */
export function lesson(store, tell, onStep) {
  let turn = 0;

  /** Ask the service for the labels of the graph and how they are read; a later request replaces an earlier one. */
  async function update(position = Infinity) {
    turn += 1;
    const mine = turn;
    const { state } = store;
    store.set({ busy: true, labelError: "" });
    try {
      const fault = isForTrees(state) ? treeFault(state.graph) : "";
      const shown = fault ? withoutLabels(state, fault) : await asked(state);
      if (mine !== turn) return;
      store.set({ ...shown, error: "" });
      moveTo(position);
    } catch (error) {
      if (mine === turn) store.set({ error: messageOf(error) });
    } finally {
      if (mine === turn) store.set({ busy: false });
    }
  }

  /** @param {State} state @returns {Promise<Partial<State>>} */
  async function asked(state) {
    const encoded = /** @type {Encoded} */ (await post("api/encode", {
      words: state.graph.words, arcs: state.graph.arcs.map(bareArc), encoding: encodingName(state), planes: state.assign, crossing: state.crossing,
    }));
    const labels = state.changed ?? encoded.labels;
    const read = await traced(state, encoded, labels).catch((error) => {
      if (!state.changed) throw error;
      tell(`The labels of this link cannot be read: ${messageOf(error)}`, true);
      return null;
    });
    if (read) return { answer: answerOf(state, encoded, labels, read) };
    return { changed: null, answer: answerOf(state, encoded, encoded.labels, await traced(state, encoded, encoded.labels)) };
  }

  /** How labels are decoded: step by step or, where they are too long for that, all at once. @param {State} state @param {Encoded} encoded @param {string[]} labels @returns {Promise<Traced>} */
  async function traced(state, encoded, labels) {
    const encoding = encodingName(state);
    const nulls = encoded.nulls?.some((planes) => planes.length) ? encoded.nulls : undefined;
    const refusal = stepsFault(labels);
    if (!refusal) return post("api/trace", { words: state.graph.words, labels, encoding, nulls });
    const own = labels === encoded.labels;
    const { arcs, repairs } = own ? { arcs: encoded.decoded, repairs: 0 } : await post("api/decode", { words: state.graph.words, labels, encoding });
    return { steps: [atOnce(state, encoded, arcs)], repairs, refusal };
  }

  /** The step that makes all arcs. @param {State} state @param {Encoded} encoded @param {import("../types").Ends[]} arcs @returns {import("./edges.js").Step} */
  function atOnce(state, encoded, arcs) {
    const planes = new Map(state.graph.arcs.map((arc, i) => [`${arc.head} ${arc.dependent}`, encoded.planes[i] || 1]));
    const made = arcs.map((arc) => ({ ...arc, plane: planes.get(`${arc.head} ${arc.dependent}`) ?? 1 }));
    return { word: null, label: "", part: "", pass: "", text: "", stacks: {}, new_arcs: made, null_arcs: encoded.null_arcs };
  }

  /** @param {State} state @param {Encoded} encoded @param {string[]} labels @param {Traced} read @returns {import("./state.js").Answer} */
  function answerOf(state, encoded, labels, read, noTree = "") {
    return { graph: state.graph, encoded, labels, traced: read, edges: lessonEdges(state.graph, encoded, read, state), noTree };
  }

  /** The graph alone, where it is no tree and the encoding is for trees only. @param {State} state @param {string} fault @returns {Partial<State>} */
  function withoutLabels(state, fault) {
    const labels = state.graph.words.map(() => "");
    const encoded = { labels, planes: state.graph.arcs.map(() => 1), decoded: state.graph.arcs.map(bareArc), null_arcs: [] };
    const refusal = `${encodingName(state)} is for trees only, and ${fault}.`;
    const read = { steps: [atOnce(state, encoded, encoded.decoded)], repairs: 0, refusal };
    return { changed: null, answer: answerOf(state, encoded, labels, read, refusal) };
  }

  /** Show so many steps. @param {number} position */
  function moveTo(position) {
    store.set({ position: Math.max(0, Math.min(position, lastPosition(store.state))) });
  }

  /** Change the graph; the old one can be had back. @param {Graph} graph @param {Partial<State>} others */
  function change(graph, others = {}) {
    const { past, graph: before, example } = store.state;
    store.set({ graph, example: "", changed: null, wordsError: "", past: [...past, { graph: before, example }].slice(-MOST_UNDO), ...others });
    return update();
  }

  /** Whether the words on the board are those of the graph; while another one is on its way they are not. */
  const isCurrent = () => store.state.answer?.graph.words === store.state.graph.words;

  return {
    update, moveTo,

    /** Choose another encoding, or other options of it. @param {Partial<State>} changes */
    choose(changes) {
      store.set({ ...changes, changed: null });
      return update();
    },

    undo() {
      const { past } = store.state;
      const before = past.at(-1);
      if (!before) return undefined;
      store.set({ ...before, past: past.slice(0, -1), changed: null, wordsError: "" });
      return update();
    },

    reset: () => change(store.state.origin.graph, { example: store.state.origin.example }),

    /** @param {string} name */
    takeExample(name) {
      const { words, arcs } = exampleOf(name);
      const origin = { graph: makeGraph(words, arcs), example: exampleOf(name).name };
      onStep();
      return change(origin.graph, { example: origin.example, origin, chosen: null, inHand: null });
    },

    /** @param {string} text */
    takeWords(text) {
      const forms = text.trim().split(/\s+/).filter(Boolean);
      const wordsError = wordsFault(forms);
      store.set({ wordsError });
      return wordsError ? undefined : change(withWords(store.state.graph, forms));
    },

    /** Draw an arc; a tree has one head for each word. @param {number} head @param {number} dependent */
    async connect(head, dependent) {
      const { state } = store;
      store.set({ inHand: null });
      if (!isCurrent()) return;
      if (dependent === 0) tell("The root has no head: no arc leads to it.", true);
      else if (head === dependent) tell(`“${nameOf(state, head)}” cannot be its own head: an arc leads to another word.`, true);
      else if (hasArc(state.graph, head, dependent)) tell(`There is an arc ${nameOf(state, head)} → ${nameOf(state, dependent)} already.`);
      else {
        await change((isForTrees(state) ? withHead : withArc)(state.graph, head, dependent), { chosen: { head, dependent, from: dependent } });
        return;
      }
      store.set({ chosen: { word: dependent } });
    },

    /** @param {import("../types").Ends} arc */
    remove({ head, dependent }) {
      if (isCurrent() && hasArc(store.state.graph, head, dependent)) change(withoutArc(store.state.graph, head, dependent), { chosen: { word: dependent } });
    },

    /** Give an arc another relation. @param {import("../types").Ends} arc @param {string} relation */
    relate({ head, dependent }, relation) {
      const known = store.state.graph.arcs.find((arc) => arc.head === head && arc.dependent === dependent);
      if (isCurrent() && known && relation.trim() !== known.relations.join(" + ")) change(withRelation(store.state.graph, head, dependent, relation));
    },

    /** Change the label of a word; the service says if it is none. @param {number} word @param {string} text */
    async changeLabel(word, text) {
      const { state } = store;
      if (!state.answer || state.answer.labels[word - 1] === text) return;
      const labels = state.answer.labels.map((label, i) => (i === word - 1 ? text : label));
      const { encoded } = state.answer;
      turn += 1;
      const mine = turn;
      store.set({ busy: true });
      try {
        const read = await traced(state, encoded, labels);
        if (mine !== turn) return;
        store.set({ changed: labels, labelError: "", answer: answerOf(state, encoded, labels, read) });
        moveTo(Infinity);
      } catch (error) {
        if (mine === turn) store.set({ labelError: messageOf(error) });
      } finally {
        if (mine === turn) store.set({ busy: false });
      }
    },

    restoreLabels() {
      store.set({ changed: null });
      return update();
    },
  };
}
