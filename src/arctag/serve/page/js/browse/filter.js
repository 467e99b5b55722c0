// Which sentences a search keeps.

/** Nothing asked for. */
export const NO_FILTER = { word: "", relation: "", planes: 0, cyclic: false, broken: false, wrong: false };

/** "nsubj" also finds nsubj:xsubj. */
function hasRelation(sentence, relation) {
  return sentence.arcs.some((arc) => arc.relations.some((name) => name === relation || name.startsWith(`${relation}:`)));
}

/** The words of a sentence that a search asks for, by number. */
export function foundWords(sentence, filter) {
  const word = filter.word.trim().toLowerCase();
  return word ? sentence.words.flatMap((form, i) => (form.toLowerCase().includes(word) ? [i + 1] : [])) : [];
}

/** Whether a sentence passes; `isWrong` says whether its prediction differs from gold. */
export function passes(sentence, filter, isWrong) {
  if (filter.broken) return Boolean(sentence.error);
  if (sentence.error) return !filter.word.trim() && !filter.relation.trim() && !filter.planes && !filter.cyclic && !filter.wrong;
  if (filter.word.trim() && !foundWords(sentence, filter).length) return false;
  if (filter.relation.trim() && !hasRelation(sentence, filter.relation.trim())) return false;
  if (filter.planes && sentence.planes < filter.planes) return false;
  if (filter.cyclic && !sentence.cyclic) return false;
  return !filter.wrong || isWrong();
}
