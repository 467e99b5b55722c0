// @ts-check
// The service explains in word numbers and quoted labels; here they get their words and their typeface.
import { h } from "../ui/dom.js";

const PIECE = /\bword (\d+)\b|'([^']+)'/gi;

/** The text as nodes: "word 2" is followed by the word itself, quoted labels are set as code. @param {string} text @param {string[]} words */
export function prose(text, words) {
  /** @type {(string | Node)[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(PIECE)) {
    nodes.push(text.slice(end, match.index));
    end = match.index + match[0].length;
    if (match[2] !== undefined) nodes.push(h("code", {}, match[2]));
    else {
      const word = words[Number(match[1]) - 1];
      nodes.push(match[0], word === undefined ? "" : h("i", { class: "mention" }, ` ${word}`));
    }
  }
  return [...nodes, text.slice(end)].filter((node) => node !== "");
}
