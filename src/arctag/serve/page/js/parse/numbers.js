// @ts-check
// The ids of sentences that were parsed in chunks, as if the text had been sent at once.
const IN_PARAGRAPH = /^p(\d+)((?:\.\d+)?-s)(\d+)$/;
const IN_LIST = /^s(\d+)$/;

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {{ paragraphs: number, lines: number, listed: number }} Before */

/**
 * A function that takes the sentences of each chunk, and whether it continues the paragraph before it; it
 * returns them with ids that continue, too, and without `# newdoc` and `# newpar` where none begins.
 */
export function continued() {
  let first = true;
  let [paragraphs, lines, listed] = [0, 0, 0]; // how many there were in the chunks before

  return (/** @type {Sentence[]} */ sentences, /** @type {boolean} */ inside) => {
    const before = { paragraphs: inside ? paragraphs - 1 : paragraphs, lines: inside ? lines : 0, listed };
    const found = sentences.map((sentence) => {
      const id = idOf(sentence.id, before);
      return { ...sentence, id, raw: rawOf(sentence.raw ?? "", sentence.id, id, first, inside && IN_PARAGRAPH.exec(sentence.id)?.[1] === "1") };
    });
    for (const { id } of found) {
      const [, paragraph, , line] = IN_PARAGRAPH.exec(id) ?? [];
      if (paragraph) [paragraphs, lines] = [Number(paragraph), Number(line)];
    }
    listed += sentences.length;
    first = false;
    return found;
  };
}

/** @param {string} id @param {Before} before */
function idOf(id, before) {
  return id
    .replace(IN_PARAGRAPH, (_, paragraph, middle, line) => {
      const place = Number(line) + (paragraph === "1" ? before.lines : 0);
      return `p${Number(paragraph) + before.paragraphs}${middle}${place}`;
    })
    .replace(IN_LIST, (_, number) => `s${Number(number) + before.listed}`);
}

/** @param {string} raw @param {string} old @param {string} id @param {boolean} first @param {boolean} inside */
function rawOf(raw, old, id, first, inside) {
  const lines = raw.split("\n").map((line) => (line === `# sent_id = ${old}` ? `# sent_id = ${id}` : line));
  return lines.filter((line) => (first || line !== "# newdoc") && !(inside && line === "# newpar")).join("\n");
}
