// @ts-check
// A row of the list of sentences: its number, its text around what was found, and what is special about it.
import { arcsOf, isCyclic, lacksOf, planesOf } from "../graph/graphs.js";
import { h } from "../ui/dom.js";
import { textOf } from "../ui/sentence_card.js";
import { scoreNames, scores } from "./compare.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types").Sentence} Sentence */

const BEFORE = 3; // words before the first that was found

/** The text of a sentence; where something was found in it, from a little before that, with what was found marked. @param {Sentence} sentence @param {import("./searching.js").Match[] | undefined} matches */
function rowText(sentence, matches) {
  const found = new Set((matches ?? []).flatMap((match) => match.words).filter((word) => word > 0));
  if (!found.size) return textOf(sentence);
  const start = Math.max(1, Math.min(...found) - BEFORE);
  const words = sentence.words.slice(start - 1, start + 30);
  return [start > 1 ? "… " : "", words.flatMap((word, i) => [i ? " " : "", found.has(start + i) ? h("mark", {}, word) : word])];
}

/** @param {State} state @param {number} place */
export function rowContent(state, place) {
  const { gold, hits, look, search, tally } = state;
  const i = hits[place];
  const sentence = gold.sentences[i];
  const number = h("span", { class: "row-number" }, String(i + 1));
  if (sentence.error) return [number, h("span", { class: "row-text" }, sentence.id), h("span", { class: "badge bad" }, "broken")];
  const planes = planesOf(sentence, look.graph);
  const { headless, rootless } = lacksOf(sentence, look.graph);
  const verdict = tally.verdicts.get(i);
  const LF = verdict && !verdict.problem ? scores(verdict.counts).LF : null;
  return [
    number,
    h("span", { class: "row-text", dir: "auto" }, rowText(sentence, search.found.get(i))),
    planes > 1 ? h("span", { class: "badge" }, `${planes} planes`) : null,
    isCyclic(arcsOf(sentence, look.graph), sentence.words.length) ? h("span", { class: "badge" }, "cyclic") : null,
    rootless ? h("span", { class: "badge bad" }, "no root") : headless.length ? h("span", { class: "badge bad" }, "no head") : null,
    LF === null ? null : h("span", { class: LF < 100 ? "badge bad" : "badge good", title: scoreNames(look.graph).LF }, h("span", { class: "unseen" }, `${scoreNames(look.graph).LF} `), LF.toFixed(0)),
  ];
}
