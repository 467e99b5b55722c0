// @ts-check
// Text for the address bar: deflated and written in characters that need no escaping there.

const MOST = 100_000; // bytes that a link may hold: a few kilobytes could be unpacked to gigabytes

/** A link that holds too much. */
export class TooMuch extends Error {}

/** @param {Uint8Array} bytes @param {CompressionStream | DecompressionStream} stream @param {number} most */
async function through(bytes, stream, most) {
  const reader = new Blob([/** @type {BlobPart} */ (bytes)]).stream().pipeThrough(/** @type {ReadableWritablePair<Uint8Array, BufferSource>} */ (stream)).getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.byteLength;
    if (size > most) {
      await reader.cancel();
      throw new TooMuch(`it holds more than ${MOST.toLocaleString("en")} characters`);
    }
    parts.push(value);
  }
  return new Uint8Array(await new Blob(/** @type {BlobPart[]} */ (parts)).arrayBuffer());
}

/** A text as a short string of letters, digits, '-' and '_'. @param {string} text */
export async function pack(text) {
  const bytes = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"), Infinity);
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The text again; an error if the string was cut or changed on its way, `TooMuch` if it is too long. @param {string} packed */
export async function unpack(packed) {
  const binary = atob(packed.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  return new TextDecoder("utf-8", { fatal: true }).decode(await through(bytes, new DecompressionStream("deflate-raw"), MOST));
}
