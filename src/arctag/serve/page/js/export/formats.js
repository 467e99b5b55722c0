// The formats in which a sentence, or all of them, can be saved.
import { post } from "../api.js";
import { MAIN } from "../graph/graphs.js";
import { INFO } from "../info.js";
import { pngFile } from "./png_file.js";
import { svgFile } from "./svg_file.js";

const CHUNK = 200000; // characters of a request; the service takes a megabyte
const SPELLING = { conllu: "CoNLL-U", conllup: "CoNLL-U Plus" }; // of names that are not in capitals
const ONE_GRAPH = ["sdp"]; // formats with room for the graph alone that is drawn

function bare({ id, text, words, arcs, tags, lemmas, xpos, feats, ids, tree, layers }) {
  return Object.fromEntries(Object.entries({ id, text, words, arcs, tags, lemmas, xpos, feats, ids, tree, layers }).filter(([, value]) => value !== undefined));
}

/** The sentences of an answer with their lines in a file (`rows`) as `raw`, and with the format and the header of that file. */
export function withRaw({ sentences, format = "conllu", header = "" }) {
  return sentences.map(({ rows, ...sentence }) => ({ ...sentence, raw: rows.replace(/\n+$/, ""), format, header }));
}

/** The lines of a sentence without the header of its file, if they have it. */
export function withoutHeader(text, header) {
  const line = header.trimEnd();
  return line ? text.split("\n").filter((one) => one.trimEnd() !== line).join("\n").replace(/^\n+/, "") : text;
}

/** The sentences as a file in their own format. */
export function fileText(sentences) {
  return sentences[0].header + sentences.map(({ raw }) => `${raw}\n\n`).join("");
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
async function converted(sentences, to, layer) {
  const found = { content: "", lost: {} };
  for (const chunk of chunksOf(sentences)) {
    const { text, header, lost } = await post("api/convert", { graphs: fileText(chunk), format: chunk[0].format, to, layer });
    found.content += found.content ? text.slice(header.length) : text;
    for (const [kind, number] of Object.entries(lost)) found.lost[kind] = (found.lost[kind] ?? 0) + number;
  }
  return found;
}

/**
 * Sentences with the lines of a file (`raw`, in `format`) keep all of them; others are words and arcs only. `graph` is
 * the one that is drawn, and is written where there is room for one only.
 */
export async function written(sentences, to, graph = MAIN) {
  if (sentences.some(({ raw }) => raw === undefined)) {
    return { content: (await post("api/convert", { sentences: sentences.map(bare), to })).text };
  }
  const layer = graph !== MAIN && ONE_GRAPH.includes(to) ? graph : undefined;
  return sentences[0].format === to ? { content: fileText(sentences) } : converted(sentences, to, layer);
}

/** A sentence without the keys that only this page has. */
function published({ raw, format, header, warning, ...sentence }) {
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
    { name: SPELLING[name] ?? name.toUpperCase(), ending: name, type: "text/plain", make: (sentences, graph) => written(sentences, name, graph) }
  )),
  { name: "JSON", ending: "json", type: "application/json", make: async (sentences) => ({ content: json(sentences) }) },
];
