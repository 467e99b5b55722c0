// @ts-check
// From text to graphs: long texts are sent in chunks, so that the first graphs appear early.
import { post } from "../api.js";
import { withRaw } from "../export/formats.js";
import { continued } from "./numbers.js";

const CHUNK = 4000; // characters

/** @typedef {{ name: string, cut: RegExp, join: string, body: (text: string) => object }} Way */

/** How the text field is read: the body of the request, and where a long text may be cut. */
export const READINGS = {
  text: /** @type {Way} */ ({ name: "Running text", cut: /\n[ \t]*\n\s*/, join: "\n\n", body: (text) => ({ text }) }),
  lines: /** @type {Way} */ ({ name: "One sentence per line", cut: /\n/, join: "\n", body: (text) => ({ text, layout: "sentences" }) }),
  words: /** @type {Way} */ ({
    name: "Words separated by spaces", cut: /\n/, join: "\n",
    body: (text) => ({ tokens: text.split("\n").map((line) => line.trim().split(/\s+/).filter(Boolean)).filter((words) => words.length) }),
  }),
};

/** Cut a text at its paragraphs or lines into chunks of a few thousand characters; blank lines end a chunk, if anything. @param {string} text @param {Way} reading */
function chunksOf(text, reading) {
  if (text.length < CHUNK) return text.trim() ? [text] : [];
  /** @type {string[]} */
  const found = [];
  for (const part of text.split(reading.cut)) {
    const last = found.at(-1);
    if (last === undefined ? !part.trim() : !part.trim() || last.length + part.length < CHUNK) {
      if (last !== undefined) found[found.length - 1] = last + reading.join + part;
    } else found.push(part);
  }
  return found;
}

/**
 * Parse a text: yields { sentences, skipped, done, all } for each chunk.
 *
 * @param {string} text @param {keyof typeof READINGS} reading @param {object} options @param {AbortSignal} signal
 */
export async function* parsed(text, reading, options, signal) {
  const chunks = chunksOf(text, READINGS[reading]);
  const number = continued();
  for (const [i, chunk] of chunks.entries()) {
    const body = { ...READINGS[reading].body(chunk), ...options, rows: true };
    const answer = await post("api/parse", body, signal);
    const open = reading === "lines" && !chunks[i - 1]?.endsWith("\n"); // cut inside a paragraph
    yield { sentences: number(withRaw(answer), i > 0 && open), skipped: answer.skipped?.length ?? 0, done: i + 1, all: chunks.length };
  }
}
