// @ts-check
// Where the predicted sentences come from: a second file, or a model.
import { isAbort, messageOf, pause, post } from "../api.js";
import { fileText, withRaw } from "../export/formats.js";
import { graphsIn, MAIN, TREE } from "../graph/graphs.js";
import { schemeOf } from "../relations.js";
import { graphsOf } from "./contents.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Model} Model */
/** @typedef {import("./treebank.js").Treebank} Treebank */

const BATCH = 30; // sentences of a request
const TAGS = { tags: "upos", xpos: "xpos", feats: "feats", lemmas: "lemma" };

const bare = (/** @type {string} */ name) => name.slice(name.indexOf(":") + 1).toLowerCase();

/** What a second file calls each graph of gold; its own name where nothing is like it. @param {string} graph @param {Treebank} other */
export function nameInFile(graph, other) {
  const names = graphsIn(other.sentences.filter((sentence) => sentence.words));
  return names.find((name) => name === graph) ?? names.find((name) => bare(name) === bare(graph)) ?? graph;
}

/** The layer of a model that predicts a graph of gold, if it has one; the main graph of SDP is known by its relations. @param {string} graph @param {Treebank} gold @param {Model} model */
export function layerFor(graph, gold, model) {
  const known = Object.keys(model.layers);
  if (graph === MAIN && gold.format === "sdp") {
    const relations = gold.sentences.slice(0, 200).flatMap((sentence) => (sentence.arcs ?? []).flatMap((arc) => arc.relations));
    const scheme = schemeOf(MAIN, relations);
    if (known.includes(scheme)) return scheme;
  }
  return known.find((name) => name === bare(graph)) ?? null;
}

/** The layers to ask a model for: all that gold has, too. @param {Treebank} gold @param {Model} model */
function layersFor(gold, model) {
  const graphs = graphsOf(gold.sentences).map((graph) => layerFor(graph, gold, model));
  const tags = Object.entries(TAGS).filter(([key]) => gold.sentences.some((sentence) => sentence[/** @type {keyof Sentence} */ (key)])).map(([, name]) => name);
  return [...graphs, ...tags].filter((name) => name !== null && Object.hasOwn(model.layers, name));
}

/** The sentences of another treebank, each beside its gold one: by id; once all of it is read, the others by their order. @param {Treebank} gold @param {Treebank} other */
export function matchById(gold, other) {
  /** @type {Map<string, Sentence | null>} */
  const byId = new Map();
  for (const sentence of other.sentences) byId.set(sentence.id, byId.has(sentence.id) ? null : sentence);
  return (/** @type {number} */ i) => byId.get(gold.sentences[i].id) ?? (other.whole ? other.sentences[i] : undefined);
}

/** @param {Sentence[]} batch @param {object} options @param {AbortSignal} signal @returns {Promise<Sentence[]>} */
async function parseBatch(batch, options, signal) {
  const answer = await post("api/parse", { graphs: fileText(batch), ...options, rows: true }, signal);
  if (answer.sentences.length === batch.length) return withRaw(answer);
  if (batch.length === 1) return [/** @type {Sentence} */ ({ error: "the model could not parse this sentence" })];
  const single = [];
  for (const sentence of batch) single.push(...await parseBatch([sentence], options, signal)); // to see which were left out
  return single;
}

/**
 * Let a model parse the sentences of gold, from the wanted one on, until all are done. `onMore` is called with the
 * numbers of sentences and what was predicted, `onFailure` with what went wrong.
 *
 * @param {() => Treebank} goldOf @param {Model} model @param {() => number} wantedOf
 * @param {(numbers: number[], sentences: Sentence[]) => void} onMore @param {(message: string) => void} onFailure @param {AbortSignal} signal
 */
export async function parseAll(goldOf, model, wantedOf, onMore, onFailure, signal) {
  /** @type {Set<number>} */
  const done = new Set();
  let size = 1; // the sentence that is shown should not wait for others
  try {
    for (;;) {
      const gold = goldOf();
      const batch = nextBatch(gold, wantedOf(), done).slice(0, size);
      if (!batch.length && gold.whole) return;
      if (!batch.length) await pause(200, signal); // the file is still being read
      signal.throwIfAborted();
      if (!batch.length) continue;
      const parsed = await parseBatch(batch.map((i) => gold.sentences[i]), { model: model.name, layers: layersFor(gold, model) }, signal);
      for (const i of batch) done.add(i);
      size = BATCH;
      onMore(batch, parsed);
    }
  } catch (error) {
    if (!isAbort(error)) onFailure(messageOf(error));
  }
}

/** @param {Treebank} gold @param {number} wanted @param {Set<number>} done */
function nextBatch({ sentences }, wanted, done) {
  const batch = [];
  for (let step = 0; step < sentences.length && batch.length < BATCH; step += 1) {
    const i = (wanted + step) % sentences.length;
    if (!done.has(i) && sentences[i].words) batch.push(i);
  }
  return batch;
}

/** Why a model cannot be compared on a graph; empty if it can. @param {string} graph @param {Treebank} gold @param {Model} model */
export function lacksGraph(graph, gold, model) {
  const layer = layerFor(graph, gold, model);
  const what = graph === TREE ? "trees" : graph === MAIN ? "this graph" : bare(graph);
  return layer ? "" : `${model.title} does not predict ${what}`;
}
