// Where the predicted sentences come from: a second file, or a model.
import { post } from "../api.js";
import { fileText, withRaw } from "../export/formats.js";

const BATCH = 30; // sentences of a request

/** The sentences of another treebank: by their id; once all of it is read, those without a match by their order. */
export function fileSource(gold, other) {
  let known = 0;
  const byId = new Map();
  const index = () => {
    for (; known < other.sentences.length; known += 1) {
      const { id } = other.sentences[known];
      byId.set(id, byId.has(id) ? null : other.sentences[known]);
    }
  };
  return {
    name: `as in ${other.name}`,
    find(i) {
      index();
      return byId.get(gold.sentences[i].id) ?? (other.whole ? other.sentences[i] : undefined);
    },
  };
}

async function parseBatch(batch, model, signal) {
  const answer = await post("api/parse", { graphs: fileText(batch), model, rows: true }, signal);
  if (answer.sentences.length === batch.length) return withRaw(answer);
  if (batch.length === 1) return [{ error: "the model could not parse this sentence" }];
  const single = [];
  for (const sentence of batch) single.push(...await parseBatch([sentence], model, signal)); // to see which were left out
  return single;
}

/** Sentences that a model parses, from the `wanted` one on until all are done; `onMore` is called as they come. */
export function modelSource(gold, model, wanted, onMore, signal) {
  const found = new Map();
  let failure = "";

  function nextBatch() {
    const batch = [];
    for (let step = 0; step < gold.sentences.length && batch.length < BATCH; step += 1) {
      const i = (wanted + step) % gold.sentences.length;
      if (!found.has(i) && gold.sentences[i].words) batch.push(i);
    }
    return batch;
  }

  async function run() {
    let size = 1; // the sentence that is shown should not wait for others
    for (;;) {
      const batch = nextBatch().slice(0, size);
      if (!batch.length && gold.whole) return;
      if (!batch.length) await new Promise((resolve) => { setTimeout(resolve, 200); }); // the file is still being read
      signal.throwIfAborted();
      const parsed = batch.length ? await parseBatch(batch.map((i) => gold.sentences[i]), model, signal) : [];
      batch.forEach((i, at) => found.set(i, parsed[at]));
      size = BATCH;
      onMore();
    }
  }

  run().catch((error) => {
    if (error.name === "AbortError") return;
    failure = error.message;
    onMore();
  });
  return {
    name: `parsed with ${model}`,
    find: (i) => found.get(i),
    want: (i) => { wanted = i; },
    failure: () => failure,
  };
}
