// @ts-check
// A guess at the language of a text, as `arctag/text/other_language.py` makes it, with the words that the service has.
import { get } from "../api.js";

/** @typedef {{ scripts: { name: string, scripts: string[] }[], languages: Record<string, { name: string, words: string }> }} Languages */
/** @type {Languages | null} */
const known = await get("api/languages").catch(() => null);

const SCRIPTS = (known?.scripts ?? []).map(({ name, scripts }) => (
  { name, pattern: new RegExp(`[${scripts.map((script) => `\\p{Script=${script}}`).join("")}]`, "gu") }));
const SMALL = Object.entries(known?.languages ?? {}).map(([code, { name, words }]) => ({ code, name, words: new Set(words.split(" ")) }));
const LEAST_WORDS = 5;
const LEAST_SHARE = 0.2; // of words that are small ones of that language
const CLEARLY = 1.5; // times as many as of the model's own
const LOOKED_AT = 3000; // characters

/**
 * The language that a text seems to be in, if it is clearly another than that of the model; else nothing.
 *
 * @param {string} text @param {string | null} language the code of the model's
 */
export function otherLanguage(text, language) {
  if (!SMALL.some(({ code }) => code === language)) return "";
  const start = text.slice(0, LOOKED_AT);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const script = SCRIPTS.find(({ pattern }) => (start.match(pattern)?.length ?? 0) * 2 > letters && letters > 1);
  if (script) return script.name;
  const found = start.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (found.length < LEAST_WORDS) return "";
  const shares = SMALL.map(({ code, name, words }) => ({ code, name, share: found.filter((word) => words.has(word)).length / found.length }));
  const own = shares.find(({ code }) => code === language)?.share ?? 0;
  const best = shares.reduce((one, other) => (other.share > one.share ? other : one));
  return best.code !== language && best.share >= LEAST_SHARE && best.share > CLEARLY * own ? best.name : "";
}
