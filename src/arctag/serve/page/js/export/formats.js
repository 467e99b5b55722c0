// The kinds of file a sentence, or all of them, can leave as.
import { post } from "../api.js";
import { pngFile } from "./png_file.js";
import { svgFile } from "./svg_file.js";

const SDP_HEADER = /^#SDP 2015[ \t]*\n/m;
const AT_ONCE = 200000; // characters of a request; the service takes a megabyte

function bare({ id, text, words, arcs, tags, ids, tree }) {
  return Object.fromEntries(Object.entries({ id, text, words, arcs, tags, ids, tree }).filter(([, value]) => value !== undefined));
}

/** The sentences as a file of their own format holds them; the header stands at the beginning only. */
export function fileText(sentences) {
  const text = sentences.map(({ raw }) => `${raw.replace(SDP_HEADER, "")}\n\n`).join("");
  return sentences[0].format === "sdp" ? `#SDP 2015\n${text}` : text;
}

/** The sentences in lists that fit a request. */
function portions(sentences) {
  const found = [];
  let size = Infinity;
  for (const sentence of sentences) {
    size += sentence.raw.length;
    if (size > AT_ONCE) {
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
  for (const some of portions(sentences)) {
    const { text, lost } = await post("api/convert", { graphs: fileText(some), format: some[0].format, to });
    found.content += found.content ? text.replace(SDP_HEADER, "") : text;
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

/** What is told outside: not what only this page knows of a sentence. */
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
  { name: "CoNLL-U", ending: "conllu", type: "text/plain", make: (sentences) => written(sentences, "conllu") },
  { name: "SDP", ending: "sdp", type: "text/plain", make: (sentences) => written(sentences, "sdp") },
  { name: "JSON", ending: "json", type: "application/json", make: async (sentences) => ({ content: json(sentences) }) },
];
