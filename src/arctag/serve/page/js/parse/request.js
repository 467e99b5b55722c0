// From text to graphs: long texts go to the service in pieces, so that the first graphs appear early.
import { post } from "../api.js";
import { continued } from "./numbers.js";

const PIECE = 4000; // characters

/** How the text box is read: how the service is told, and where a long text may be cut. */
export const READINGS = {
  text: { name: "Running text", cut: /\n[ \t]*\n\s*/, join: "\n\n", body: (text) => ({ text }) },
  lines: { name: "A sentence a line", cut: /\n/, join: "\n", body: (text) => ({ text, layout: "sentences" }) },
  words: {
    name: "Spaced words", cut: /\n/, join: "\n",
    body: (text) => ({ tokens: text.split("\n").map((line) => line.trim().split(/\s+/).filter(Boolean)).filter((words) => words.length) }),
  },
};

/** Cut a text at its paragraphs or lines into pieces of a few thousand characters; blank lines end a piece, if anything. */
function pieces(text, reading) {
  if (text.length < PIECE) return text.trim() ? [text] : [];
  const found = [];
  for (const part of text.split(reading.cut)) {
    const last = found.at(-1);
    if (last === undefined ? !part.trim() : !part.trim() || last.length + part.length < PIECE) {
      if (last !== undefined) found[found.length - 1] = last + reading.join + part;
    } else found.push(part);
  }
  return found;
}

/** The sentence with the lines that a file has for it, whose ids go on from the pieces before. */
function asInFile({ rows, ...sentence }) {
  return { ...sentence, raw: rows.replace(/\n+$/, ""), format: "conllu" };
}

/** Parse a text: yields { sentences, skipped, done, all } for each piece. */
export async function* parsed(text, reading, options, signal) {
  const parts = pieces(text, READINGS[reading]);
  const number = continued();
  for (const [i, part] of parts.entries()) {
    const body = { ...READINGS[reading].body(part), ...options, rows: true };
    const { sentences, skipped = [] } = await post("api/parse", body, signal);
    const open = reading === "lines" && !parts[i - 1]?.endsWith("\n"); // cut inside a paragraph
    yield { sentences: number(sentences.map(asInFile), i > 0 && open), skipped, done: i + 1, all: parts.length };
  }
}
