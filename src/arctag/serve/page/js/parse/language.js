// @ts-check
// A guess at the language of a text: by its script, and by the small words that every text has.

const SCRIPTS = [
  ["Cyrillic script", /\p{Script=Cyrillic}/gu], ["Greek", /\p{Script=Greek}/gu], ["Arabic script", /\p{Script=Arabic}/gu],
  ["Hebrew", /\p{Script=Hebrew}/gu], ["Chinese or Japanese", /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/gu],
  ["Korean", /\p{Script=Hangul}/gu], ["Devanagari script", /\p{Script=Devanagari}/gu], ["Tamil", /\p{Script=Tamil}/gu], ["Thai", /\p{Script=Thai}/gu],
];
const WORDS = {
  en: "the of and to a in is that it for was on are with as at be this have from or by not but what all we when your can said there an which she do how their if will up about out them then these so some her would him into has more no my than been who its now did just over also after only where i you he they had his our could other because any most us should does",
  de: "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über einen so zum war haben nur oder aber vor zur bis mehr durch man sein wurde sei ich wir ihr mich kein",
  fr: "le la les de des du et à un une en est que qui dans pour pas sur au ne se ce il elle plus par avec son sa ses nous vous ils je mais ou été être cette sont aux comme tout fait même leur ont très y d l c qu n",
  es: "de la que el en y a los se del las un por con no una su para es al lo como más pero sus le ya o este sí porque esta entre cuando muy sin sobre también me hasta hay donde quien desde todo nos durante uno ni contra ese eso",
  it: "di e il la che in un a è per una non sono del con si da le i gli della dei al come più ma nel lo se anche ha su alla o questo suo delle era loro quando io mi ci dopo dal ne",
  pt: "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das tem à seu sua ou ser quando muito há nos já está eu também só pelo pela até isso",
  nl: "de het een en van in is dat op te zijn met die voor niet aan er om ook als bij maar dan of uit nog wat naar door over ze zo hij heeft was worden deze wel kan geen ik je hebben",
  sv: "och i att det som en på är av för med till den har de inte om ett han men var jag sig från vi så kan när år under också efter eller nu där vid mot",
  da: "og i at det er en til på den for med de af der som ikke et har han jeg var kan vi men fra om så eller efter blev efter være skal hun",
  fi: "ja on ei että se hän oli mutta myös kun niin ovat sen joka kuin tai jos nyt voi vain mitä ole olla sekä hänen",
  pl: "w i na z nie do się jest to że o jak po za od przez dla ale przy co czy tym ma było są jego oraz jej tylko być już",
  cs: "a se v na je že s z do o i to k ve pro za by ale si po jako které od jeho při jsou než byl jen má nebo může tak",
  tr: "ve bir bu da de için ile çok ne gibi daha olarak ama en kadar sonra var ben o mi olan değil",
  ca: "de la i que el en a els les un per amb una del no és es al més com han va ser però són seva o aquest aquesta",
  hu: "a az és hogy nem egy is ez meg volt de van csak mint már el ha még vagy aki amely",
  ro: "de și în a la cu o pe nu din că pentru se este un care mai sunt ce au fost prin după dar",
  id: "yang dan di dengan untuk dari ini itu pada tidak adalah dalam akan ke oleh juga saya ada mereka",
};
const NAMES = {
  en: "English", de: "German", fr: "French", es: "Spanish", it: "Italian", pt: "Portuguese", nl: "Dutch", sv: "Swedish", da: "Danish or Norwegian",
  fi: "Finnish", pl: "Polish", cs: "Czech", tr: "Turkish", ca: "Catalan", hu: "Hungarian", ro: "Romanian", id: "Indonesian",
};
/** @typedef {keyof typeof WORDS} Code */

const SMALL = /** @type {[Code, Set<string>][]} */ (Object.entries(WORDS).map(([code, words]) => [code, new Set(words.split(" "))]));
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
  if (!language || !Object.hasOwn(WORDS, language)) return "";
  const start = text.slice(0, LOOKED_AT);
  const letters = start.match(/\p{L}/gu)?.length ?? 0;
  const script = SCRIPTS.find(([, pattern]) => (start.match(pattern)?.length ?? 0) * 2 > letters && letters > 1);
  if (script) return String(script[0]);
  const words = start.toLowerCase().match(/\p{L}+/gu) ?? [];
  if (words.length < LEAST_WORDS) return "";
  const share = (/** @type {Set<string>} */ small) => words.filter((word) => small.has(word)).length / words.length;
  const shares = SMALL.map(([code, small]) => ({ code, share: share(small) })).sort((a, b) => b.share - a.share);
  const own = shares.find(({ code }) => code === language)?.share ?? 0;
  const [best] = shares;
  return best.code !== language && best.share >= LEAST_SHARE && best.share > CLEARLY * own ? NAMES[best.code] : "";
}
