// The kinds of file a sentence, or all of them, can leave as.
import { post } from "../api.js";
import { pngFile } from "./png_file.js";
import { svgFile } from "./svg_file.js";

function bare({ id, text, words, arcs, tags }) {
  return Object.fromEntries(Object.entries({ id, text, words, arcs, tags }).filter(([, value]) => value !== undefined));
}

async function converted(sentences, to) {
  return (await post("api/convert", { sentences: sentences.map(bare), to })).text;
}

/** name, file ending, and how the content is made from sentences and pictures: text, or a blob for PNG. */
export const FORMATS = [
  { name: "SVG", ending: "svg", type: "image/svg+xml", make: async (_, pictures) => svgFile(pictures) },
  { name: "PNG", ending: "png", type: "image/png", make: (_, pictures) => pngFile(pictures) },
  { name: "CoNLL-U", ending: "conllu", type: "text/plain", make: (sentences) => converted(sentences, "conllu") },
  { name: "SDP", ending: "sdp", type: "text/plain", make: (sentences) => converted(sentences, "sdp") },
  {
    name: "JSON", ending: "json", type: "application/json",
    make: async (sentences) => `${JSON.stringify(sentences.length === 1 ? sentences[0] : sentences, null, 1)}\n`,
  },
];
