// @ts-check
// The formats in which a sentence, or all of them, can be saved.
import { post } from "../api.js";
import { MAIN } from "../graph/graphs.js";
import { CHUNK, INFO } from "../info.js";
import { pngFile } from "./png_file.js";
import { svgFile } from "./svg_file.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {{ content: string | Blob, lost?: Record<string, number> }} Made */

/**
 * A format: its name, the ending of its files, and how { content, lost } is made: of pictures by `picture`, of sentences
 * by `make`. Content is text, or a blob for PNG.
 *
 * @typedef {{ name: string, ending: string, type: string, picture?: (pictures: SVGElement[]) => Promise<Made>, make?: (sentences: Partial<Sentence>[], graph?: string) => Promise<Made> }} Format
 */

/** The keys of a sentence that the service takes. @param {Partial<Sentence>} sentence */
function bare({ id, text, words, arcs, tags, lemmas, xpos, feats, ids, tree, layers }) {
  return Object.fromEntries(Object.entries({ id, text, words, arcs, tags, lemmas, xpos, feats, ids, tree, layers }).filter(([, value]) => value !== undefined));
}

/**
 * The sentences of an answer with their lines in a file (`rows`) as `raw`, and with the format and the header of that file.
 *
 * @param {{ sentences: (Sentence & { rows: string })[], format?: string, header?: string }} answer @returns {Sentence[]}
 */
export function withRaw({ sentences, format = "conllu", header = "" }) {
  return sentences.map(({ rows, ...sentence }) => ({ ...sentence, raw: rows.replace(/\n+$/, ""), format, header }));
}

/** The lines of a sentence without the header of its file, if they have it. @param {string} text @param {string} header */
export function withoutHeader(text, header) {
  const line = header.trimEnd();
  return line ? text.split("\n").filter((one) => one.trimEnd() !== line).join("\n").replace(/^\n+/, "") : text;
}

/** The sentences as a file in their own format. @param {Partial<Sentence>[]} sentences */
export function fileText(sentences) {
  return (sentences[0].header ?? "") + sentences.map(({ raw }) => `${raw}\n\n`).join("");
}

/** The sentences in chunks that fit a request. @template {{ raw?: string }} T @param {T[]} sentences @returns {T[][]} */
export function chunksOf(sentences, most = CHUNK) {
  /** @type {T[][]} */
  const found = [];
  let size = Infinity;
  for (const sentence of sentences) {
    size += sentence.raw?.length ?? 0;
    if (size > most) {
      found.push([]);
      size = sentence.raw?.length ?? 0;
    }
    found[found.length - 1].push(sentence);
  }
  return found;
}

/** Sentences in another format than their own, as `arctag convert` writes them, and what is lost of them. @param {Partial<Sentence>[]} sentences @param {string} to @param {string} [layer] */
async function converted(sentences, to, layer) {
  let content = "";
  /** @type {Record<string, number>} */
  const lost = {};
  for (const chunk of chunksOf(sentences)) {
    const answer = await post("api/convert", { graphs: fileText(chunk), format: chunk[0].format, to, layer });
    content += content ? answer.text.slice(answer.header.length) : answer.text;
    for (const [kind, number] of Object.entries(answer.lost)) lost[kind] = (lost[kind] ?? 0) + Number(number);
  }
  return { content, lost };
}

/**
 * Sentences with the lines of a file (`raw`, in `format`) keep all of them; others are words and arcs only. `graph` is
 * the one that is drawn, and is written where there is room for one only.
 *
 * @param {Partial<Sentence>[]} sentences @param {string} to @returns {Promise<Made>}
 */
export async function written(sentences, to, graph = MAIN) {
  if (sentences.some(({ raw }) => raw === undefined)) {
    return { content: (await post("api/convert", { sentences: sentences.map(bare), to })).text };
  }
  const layer = graph !== MAIN && INFO.formats.find(({ name }) => name === to)?.one_graph ? graph : undefined;
  return sentences[0].format === to ? { content: fileText(sentences) } : converted(sentences, to, layer);
}

/** Sentences as JSON, without the keys that only this page has. @param {Partial<Sentence>[]} sentences */
function json(sentences) {
  const own = new Set(["raw", "format", "header", "warning", "line"]);
  const values = sentences.map((sentence) => Object.fromEntries(Object.entries(sentence).filter(([key]) => !own.has(key))));
  return `${JSON.stringify(values.length === 1 ? values[0] : values, null, 1)}\n`;
}

/** @type {Format[]} */
export const FORMATS = [
  { name: "SVG", ending: "svg", type: "image/svg+xml", picture: async (pictures) => ({ content: svgFile(pictures) }) },
  { name: "PNG", ending: "png", type: "image/png", picture: async (pictures) => ({ content: await pngFile(pictures) }) },
  ...INFO.formats.map(({ name, title }) => /** @type {Format} */ (
    { name: title, ending: name, type: "text/plain", make: (sentences, graph) => written(sentences, name, graph) }
  )),
  { name: "JSON", ending: "json", type: "application/json", make: async (sentences) => ({ content: json(sentences) }) },
];
