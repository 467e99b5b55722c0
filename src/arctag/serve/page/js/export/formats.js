// The formats in which a sentence, or all of them, can be saved.
import { post } from "../api.js";
import { INFO } from "../info.js";
import { pngFile } from "./png_file.js";
import { svgFile } from "./svg_file.js";

const CHUNK = 200000; // characters of a request; the service takes a megabyte
const SPELLING = { conllu: "CoNLL-U" }; // of names that are not in capitals
const HEADERS = Object.fromEntries(INFO.formats.map(({ name, header }) => [name, header]));

function bare({ id, text, words, arcs, tags, ids, tree }) {
  return Object.fromEntries(Object.entries({ id, text, words, arcs, tags, ids, tree }).filter(([, value]) => value !== undefined));
}

/** A parsed sentence with its lines in a file (`rows` of the answer) as `raw`. */
export function withRaw({ rows, ...sentence }, format) {
  return { ...sentence, raw: rows.replace(/\n+$/, ""), format };
}

function withoutHeader(text, format) {
  return HEADERS[format] ? text.split("\n").filter((line) => line.trimEnd() !== HEADERS[format]).join("\n") : text;
}

/** The sentences as a file in their own format; the header is at the beginning only. */
export function fileText(sentences) {
  const [{ format }] = sentences;
  const text = sentences.map(({ raw }) => `${withoutHeader(raw, format)}\n\n`).join("");
  return HEADERS[format] ? `${HEADERS[format]}\n${text}` : text;
}

/** The sentences in chunks that fit a request. */
function chunksOf(sentences) {
  const found = [];
  let size = Infinity;
  for (const sentence of sentences) {
    size += sentence.raw.length;
    if (size > CHUNK) {
      found.push([]);
      size = sentence.raw.length;
    }
    found.at(-1).push(sentence);
  }
  return found;
}

/** Sentences in another format than their own, as `arctag convert` writes them, and what is lost of them. */
async function converted(sentences, to) {
  const found = { content: "", lost: {} };
  for (const chunk of chunksOf(sentences)) {
    const { text, lost } = await post("api/convert", { graphs: fileText(chunk), format: chunk[0].format, to });
    found.content += found.content ? withoutHeader(text, to) : text;
    for (const [kind, number] of Object.entries(lost)) found.lost[kind] = (found.lost[kind] ?? 0) + number;
  }
  return found;
}

/** Sentences with the lines of a file (`raw`, in `format`) keep all of them; others are words and arcs only. */
export async function written(sentences, to) {
  if (sentences.some(({ raw }) => raw === undefined)) {
    return { content: (await post("api/convert", { sentences: sentences.map(bare), to })).text };
  }
  return sentences[0].format === to ? { content: fileText(sentences) } : converted(sentences, to);
}

/** A sentence without the keys that only this page has. */
function published({ raw, format, warning, ...sentence }) {
  return sentence;
}

function json(sentences) {
  const values = sentences.map(published);
  return `${JSON.stringify(values.length === 1 ? values[0] : values, null, 1)}\n`;
}

/**
 * name, file ending, and how { content, lost } is made: of pictures by `picture`, of sentences by `make`. Content is
 * text, or a blob for PNG.
 */
export const FORMATS = [
  { name: "SVG", ending: "svg", type: "image/svg+xml", picture: async (pictures) => ({ content: svgFile(pictures) }) },
  { name: "PNG", ending: "png", type: "image/png", picture: async (pictures) => ({ content: await pngFile(pictures) }) },
  ...INFO.formats.map(({ name }) => (
    { name: SPELLING[name] ?? name.toUpperCase(), ending: name, type: "text/plain", make: (sentences) => written(sentences, name) }
  )),
  { name: "JSON", ending: "json", type: "application/json", make: async (sentences) => ({ content: json(sentences) }) },
];
