// @ts-check
// A treebank in the browser: sentences as the service reads them, chunk by chunk.
import { isAbort, messageOf, post, ServiceError } from "../api.js";
import { withoutHeader } from "../export/formats.js";
import { count } from "../ui/dom.js";
import { chunksOf } from "./blocks.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("./blocks.js").Block} Block */

/**
 * What has been read of a file: `read` is how much of it, `whole` whether all of it, `failure` why the rest could not be.
 *
 * @typedef {{ name: string, format: string | null, header: string | null, sentences: Sentence[], read: number, whole: boolean, failure: string }} Treebank
 */

const UNREADABLE = "\ufffd";

/** Where each block of a chunk starts in the text that is sent, and the text, which begins with the header of the file. @param {Block[]} chunk @param {string} header */
function joined(chunk, header) {
  let line = header.split("\n").length;
  const starts = chunk.map((block) => {
    const at = line;
    line += block.text.split("\n").length + 1;
    return at;
  });
  return { starts, text: `${header}${chunk.map((block) => block.text).join("\n\n")}\n\n` };
}

/** The block that holds a line of the text that was sent. @param {number[]} starts @param {number} line */
function blockAt(starts, line) {
  let at = 0;
  while (at + 1 < starts.length && starts[at + 1] <= line) at += 1;
  return at;
}

/** Give names and errors of the service, which say "graphs:12", the file's name and its own line. @param {string} text @param {string} name @param {(line: number) => number} shift */
function renamed(text, name, shift) {
  return text.replace(/^graphs:(\d+)/, (_, line) => `${name}:${Number(line) + shift(Number(line))}`).replace(/^graphs\b/, name);
}

/** What is wrong with a block that is not text, as the command line says it; empty if it is. @param {Block} block @param {string} name */
function notText(block, name) {
  const at = block.text.indexOf(UNREADABLE);
  const line = block.line + block.text.slice(0, at).split("\n").length - 1;
  return at < 0 ? "" : `${name}:${line}: found bytes that are not UTF-8; expected UTF-8 text`;
}

/**
 * @param {Block[]} chunk @param {string} name @param {Treebank} treebank @param {AbortSignal} signal
 * @returns {Promise<{ format?: string, header?: string, sentences: Sentence[] }>}
 */
async function readChunk(chunk, name, { format, header }, signal) {
  const { starts, text } = joined(chunk, header ?? "");
  const shift = (/** @type {number} */ line) => chunk[blockAt(starts, line)].line - starts[blockAt(starts, line)];
  let answer;
  try {
    answer = await post("api/read", { graphs: text, format: format ?? undefined }, signal);
  } catch (error) {
    if (!(error instanceof ServiceError) || error.status === 0) throw error;
    const broken = { id: `${name}:${chunk[0].line}`, error: notText(chunk[0], name) || renamed(error.message, name, shift), line: chunk[0].line };
    return { sentences: [/** @type {Sentence} */ (/** @type {unknown} */ (broken))] };
  }
  /** @type {Sentence[]} */
  const sentences = answer.sentences.map((/** @type {Sentence & { line: number }} */ sentence) => {
    const block = chunk[blockAt(starts, sentence.line)];
    const found = { ...sentence, id: renamed(sentence.id, name, shift), line: sentence.line + shift(sentence.line), raw: withoutHeader(block.text, answer.header), format: answer.format, header: answer.header };
    if (found.error) found.error = notText(block, name) || renamed(found.error, name, shift);
    if (block.text.includes(UNREADABLE)) found.warning = `${name}:${found.line}: some bytes are not UTF-8; they are shown as ${UNREADABLE}`;
    return found;
  });
  return { ...answer, sentences };
}

/**
 * Read a file into a treebank; `onMore` is called as it grows. The treebank keeps what was read if the rest fails.
 *
 * @param {Treebank} treebank @param {File} file @param {() => void} onMore @param {AbortSignal} signal
 */
export async function readTreebank(treebank, file, onMore, signal) {
  const onBytes = (/** @type {number} */ bytes) => { treebank.read = file.size ? bytes / file.size : 1; };
  try {
    for await (const chunk of chunksOf(file, onBytes)) {
      signal.throwIfAborted();
      const { format, header, sentences } = await readChunk(chunk, file.name, treebank, signal);
      treebank.format ??= format ?? null;
      treebank.header ??= header ?? null;
      treebank.sentences.push(...sentences);
      onMore();
    }
    if (!treebank.sentences.length) treebank.failure = `${file.name}: no sentence (the file is empty); expected CoNLL-U or SDP`;
  } catch (error) {
    if (isAbort(error)) return;
    const read = treebank.sentences.length;
    treebank.failure = messageOf(error) + (read ? `; the ${count(read, "sentence")} before that can be used` : "");
  }
  treebank.read = 1;
  treebank.whole = true;
  onMore();
}

/** A treebank with nothing in it yet. @param {string} name @returns {Treebank} */
export function emptyTreebank(name) {
  return { name, format: null, header: null, sentences: [], read: 0, whole: false, failure: "" };
}
