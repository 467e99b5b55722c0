// @ts-check
// What relations and tags mean, as the service tells it. Until it has, and if it does not, nothing is explained.
import { get } from "./api.js";
import { bestScheme, explainRelation } from "./glossary.js";

/** @type {import("./glossary.js").Glossary | null} */
const known = await get("api/glossary").catch(() => null);

/** Texts of relations that have been explained. @type {Map<string, string>} */
const explained = new Map();

/**
 * The scheme of a graph: that of its name, or the one that knows most of its relations.
 *
 * @param {string} graph @param {Iterable<string>} relations
 */
export function schemeOf(graph, relations) {
  const name = graph.slice(graph.indexOf(":") + 1).toLowerCase();
  if (!known) return "";
  return Object.hasOwn(known.schemes, name) ? name : bestScheme(relations, known);
}

/**
 * What relations mean; each with its name where there are several.
 *
 * @param {string[]} relations @param {string} scheme
 */
export function meaningOf(relations, scheme) {
  if (!known || !scheme) return "";
  const texts = relations.map((relation) => [relation, explain(relation, scheme)]).filter(([, text]) => text);
  return texts.map(([relation, text]) => (relations.length > 1 ? `${relation}: ${text}` : text)).join("; ");
}

/** @param {string} relation @param {string} scheme */
function explain(relation, scheme) {
  const key = `${scheme} ${relation}`;
  const text = explained.get(key) ?? (known ? explainRelation(relation, known.schemes[scheme]) : "");
  explained.set(key, text);
  return text;
}

/** A tag with what it stands for: "NOUN (noun)". @param {string} tag */
export function tagText(tag) {
  return known && Object.hasOwn(known.upos, tag) ? `${tag} (${known.upos[tag]})` : tag;
}
