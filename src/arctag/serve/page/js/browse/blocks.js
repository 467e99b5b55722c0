// @ts-check
// A file of any size as blocks: the lines of one sentence, with the number of the first.
import { CHUNK } from "../info.js";

/** @typedef {{ line: number, text: string }} Block */

const GZIP = [0x1f, 0x8b];

/** @param {Blob} file */
async function isGzip(file) {
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return start[0] === GZIP[0] && start[1] === GZIP[1];
}

/** The lines of a file; `onBytes` is called with how much of it has been read. @param {File} file @param {(bytes: number) => void} onBytes @returns {AsyncGenerator<string>} */
async function* linesOf(file, onBytes) {
  const zipped = await isGzip(file);
  let bytes = 0;
  const counted = new TransformStream({
    transform(part, out) {
      bytes += part.byteLength;
      onBytes(bytes);
      out.enqueue(part);
    },
  });
  let stream = file.stream().pipeThrough(counted);
  if (zipped) stream = stream.pipeThrough(new DecompressionStream("gzip"));
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  try {
    for (;;) {
      const { value, done } = await reader.read();
      if (done) break;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (error) {
    throw new Error(zipped ? `${file.name}: not a whole gzip file` : `${file.name}: cannot be read (${error instanceof Error ? error.message : error})`);
  }
  if (rest) yield rest;
}

const isComment = (/** @type {string} */ line) => line.startsWith("#") && !line.split(" ", 1)[0].includes("\t");

/** The blocks of a file. Comments with a blank line after them belong to the next block. @param {File} file @param {(bytes: number) => void} onBytes @returns {AsyncGenerator<Block>} */
async function* blocksOf(file, onBytes) {
  /** @type {string[]} */
  let lines = [];
  let words = false;
  let number = 0;
  let first = 1;
  for await (const raw of linesOf(file, onBytes)) {
    number += 1;
    const line = raw.endsWith("\r") ? raw.slice(0, -1) : raw;
    if (line || (lines.length && !words)) {
      if (!lines.length) first = number;
      words ||= line !== "" && !isComment(line);
      lines.push(line);
    } else if (lines.length) {
      yield { line: first, text: lines.join("\n") };
      [lines, words] = [[], false];
    }
  }
  if (lines.some(Boolean)) yield { line: first, text: lines.join("\n") };
}

/** The blocks in chunks that fit a request; where the file ends too early, those before are given first. @param {File} file @param {(bytes: number) => void} onBytes @returns {AsyncGenerator<Block[]>} */
export async function* chunksOf(file, onBytes) {
  /** @type {Block[]} */
  let chunk = [];
  let size = 0;
  let most = 0; // the first sentence goes at once, so that there is something to look at
  /** @type {unknown} */
  let failure = null;
  try {
    for await (const block of blocksOf(file, onBytes)) {
      if (chunk.length && size + block.text.length > most) {
        yield chunk;
        [chunk, size, most] = [[], 0, CHUNK];
      }
      chunk.push(block);
      size += block.text.length;
    }
  } catch (error) {
    failure = error;
  }
  if (chunk.length) yield chunk;
  if (failure) throw failure;
}
