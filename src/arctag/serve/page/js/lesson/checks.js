// Checks that the service would make, too, without asking it.
const MOST_WORDS = 2000; // of a graph
const MOST_EXPLAINED = 200; // words whose decoding is explained step by step
const MOST_CHARACTERS = 20000; // of their labels

const NUMBERS = /^\((?:-?\d{1,9}(?:,-?\d{1,9})*)?\)$/;
const TAG = "(?:ADJ|ADP|ADV|AUX|CCONJ|DET|INTJ|NOUN|NUM|PART|PRON|PROPN|PUNCT|SCONJ|SYM|VERB|X|ROOT)";
const PAIR = `${TAG}(?:\\+0|[+-][1-9][0-9]{0,8})`;
const group = (width, planes) => new RegExp(`^[01]{${width}}(?:\\.[01]{${width}}){${planes - 1}}$`);

const brackets = (planes) => [new RegExp(`^(?:\\.|(?:[\\\\/<>]\\*{0,${planes - 1}})*)$`), "></"];
const ARCS = /^(?:\.|[LR]+)$/;

/** What a label of each family looks like, and one of them. */
const FAMILIES = {
  absolute: () => [NUMBERS, "(0,4)"],
  relative: () => [NUMBERS, "(-1,2)"],
  pos: () => [new RegExp(`^(?:\\(\\)|${PAIR}(?:,${PAIR})*)$`), "VERB+1,NOUN-2"],
  brackets,
  bits4: (planes) => [group(4, planes), Array(planes).fill("1101").join(".")],
  bits6: (planes) => [group(6, planes), Array(planes).fill("110001").join(".")],
  treebits4: () => [group(4, 1), "1101"],
  treebits7: () => [group(7, 1), "1010101"],
  treebrackets: brackets,
  hexatag: () => [/^[lr](?:\.|[lr][<>])(?:\^[1-9])?$/, "lr<"],
  arcstandard: () => [ARCS, "LR"],
  archybrid: () => [ARCS, "RL"],
  arceager: () => [/^[SR][LD]*$/, "RDL"],
  covington: () => [/^(?:\.|(?:(?:N(?:[2-9]|[1-9][0-9]{1,8})?)?[LR])+)$/, "LN3R"],
};

/** Why a text is not a label of an encoding; empty if it may be one. */
export function labelFault(text, family, planes, name) {
  const known = FAMILIES[family]?.(planes);
  return known && !known[0].test(text) ? `“${text}” is not a label of ${name}; one looks like “${known[1]}”` : "";
}

/** Why words cannot be used; empty if they can. */
export function wordsFault(words) {
  if (!words.length) return "There must be at least one word.";
  return words.length > MOST_WORDS ? `${words.length} words are too many; a graph can have at most ${MOST_WORDS} here.` : "";
}

/** Why a graph is no tree; empty if it is one. */
export function treeFault({ words, arcs }) {
  const heads = new Map();
  for (const { head, dependent } of arcs) heads.set(dependent, [...(heads.get(dependent) ?? []), head]);
  const name = (word) => `word ${word} “${words[word - 1]}”`;
  for (let word = 1; word <= words.length; word += 1) {
    const found = heads.get(word)?.length ?? 0;
    if (found !== 1) return `${name(word)} has ${found === 0 ? "no head" : `${found} heads`}`;
  }
  const safe = new Set([0]); // words whose heads lead to the root
  for (let word = 1; word <= words.length; word += 1) {
    const way = new Set();
    let at = word;
    while (!safe.has(at) && !way.has(at)) {
      way.add(at);
      [at] = heads.get(at);
    }
    if (way.has(at)) return `${name(at)} is on a cycle`;
    way.forEach((one) => safe.add(one));
  }
  return "";
}

/** Why the steps of these labels are not explained; empty if they are. */
export function stepsFault(labels) {
  const characters = labels.reduce((sum, label) => sum + label.length, 0);
  if (labels.length <= MOST_EXPLAINED && characters <= MOST_CHARACTERS) return "";
  return `${labels.length} labels of ${characters} characters; at most ${MOST_EXPLAINED} words and ${MOST_CHARACTERS} characters are explained step by step.`;
}
