// @ts-check
// What relations mean. The service has the glossary; `arctag/glossary.py` reads it in the same way.

/** @typedef {{ title: string, relations: Record<string, { name: string, about?: string }>, rules: [string, string][] }} Scheme */
/** @typedef {{ schemes: Record<string, Scheme>, upos: Record<string, string> }} Glossary */

const BLANK = /\{(=?)(\d)\}/g;
const DEEPEST = 5; // relations inside relations

/**
 * The name of a relation in plain words; empty if it is unknown.
 *
 * @param {string} relation @param {Scheme} scheme @returns {string}
 */
export function nameOf(relation, scheme, depth = 0) {
  if (Object.hasOwn(scheme.relations, relation)) return scheme.relations[relation].name;
  if (depth === DEEPEST) return "";
  for (const [expression, text] of scheme.rules) {
    const match = relation.match(new RegExp(expression));
    const name = match ? filled(text, match, scheme, depth) : "";
    if (name) return name;
  }
  return "";
}

/**
 * The text of a rule with its blanks filled; empty if a relation in it is unknown.
 *
 * @param {string} text @param {RegExpMatchArray} match @param {Scheme} scheme @param {number} depth
 */
function filled(text, match, scheme, depth) {
  let whole = true;
  const done = text.replace(BLANK, (_, mark, number) => {
    const part = match[Number(number)];
    const name = mark ? nameOf(part, scheme, depth + 1) : part.replace(/[_+]/g, " ");
    whole &&= name !== "";
    return name;
  });
  return whole ? done : "";
}

/**
 * What a relation means: its name and, if there is more to say, what it is; empty if it is unknown.
 *
 * @param {string} relation @param {Scheme} scheme
 */
export function explainRelation(relation, scheme) {
  const about = Object.hasOwn(scheme.relations, relation) ? scheme.relations[relation].about : undefined;
  const name = nameOf(relation, scheme);
  return about ? `${name}: ${about}` : name;
}

/**
 * The name of the scheme that knows most of these relations; the first one where several do.
 *
 * @param {Iterable<string>} relations @param {Glossary} glossary
 */
export function bestScheme(relations, glossary) {
  const distinct = [...new Set(relations)];
  const known = Object.entries(glossary.schemes).map(([name, scheme]) => (
    /** @type {const} */ ([name, distinct.filter((relation) => nameOf(relation, scheme)).length])
  ));
  return known.reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}
