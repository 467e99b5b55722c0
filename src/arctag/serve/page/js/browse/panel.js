// @ts-check
// The sentence that is shown: its picture, perhaps against a prediction, or what is wrong with it.
import { saveMenu } from "../export/menu.js";
import { arcsOf, hasGraph, isCyclic } from "../graph/graphs.js";
import { comparedScene, placeInScene, sceneOf } from "../graph/scene.js";
import { viewer } from "../graph/viewer.js";
import { button, segments } from "../ui/controls.js";
import { count, h, refill } from "../ui/dom.js";
import { lookControls } from "../ui/look.js";
import { explain, factsOf, stemOf, textOf } from "../ui/sentence_card.js";
import { scoreText } from "./compare.js";
import { graphsOf } from "./contents.js";
import { currentOf, mistakesOf } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {import("../types").Scene} Scene */
/** @typedef {{ sentence?: Sentence, verdict?: import("./compare.js").Verdict, theirGraph?: string, problem?: string, waiting?: boolean }} Comparison */

/** @param {import("./compare.js").Verdict} verdict @param {string} graph */
function scoreLine({ counts, unscored }, graph) {
  const aside = unscored ? `; ${count(unscored, "arc")} of empty nodes not scored` : "";
  return `${scoreText(counts, graph)}: ${counts.correct} of ${count(counts.gold, "gold arc")} found, ${count(counts.predicted - counts.correct, "arc")} too many${aside}`;
}

/** @param {Sentence} sentence @param {State["look"]} look */
function captionOf(sentence, look) {
  const cyclic = isCyclic(arcsOf(sentence, look.graph), sentence.words.length) ? " · cyclic" : "";
  return `${factsOf(sentence, look)}${cyclic} · line ${sentence.line}`;
}

/** Mark the words and arcs that a search has found. @param {Scene} scene @param {import("./searching.js").Match[]} matches @param {string} graph */
function markFound(scene, matches, graph) {
  for (const word of new Set(matches.flatMap((match) => match.words))) {
    const place = placeInScene(scene, word);
    if (place) scene.marks?.[place - 1].push("found");
  }
  const arcs = new Set(matches.flatMap((match) => match.arcs).filter(([name]) => name === graph).map(([, head, dependent]) => `${placeInScene(scene, head)} ${placeInScene(scene, dependent)}`));
  for (const edge of scene.edges) if (arcs.has(`${edge.head} ${edge.dependent}`)) edge.look += " found-arc";
  return scene;
}

/**
 * The panel. `actions` has: comparisonOf(i), look(changes), side(name).
 *
 * It is drawn again only if what it shows changes: while more results come, it stays as it is.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {{ comparisonOf: (i: number) => Comparison | undefined, look: (changes: Partial<State["look"]>) => void, side: (side: State["side"]) => void }} actions
 */
export function sentencePanel(store, actions) {
  let drawn = "";
  /** @type {ReturnType<typeof viewer> | null} */
  let picture = null;

  const look = lookControls(actions.look);
  const sides = segments("Which arcs are shown", [["both", "Compare"], ["gold", "Gold"], ["predicted", "Predicted"]], "both", (side) => actions.side(/** @type {State["side"]} */ (side)));
  const verdict = h("p", {});
  const compared = h("div", { class: "verdict", hidden: true }, verdict, sides.element);
  const head = h("div", {});
  const content = h("div", { class: "panel-content" });
  const toolbar = h("div", { class: "panel-tools" }, look.elements);
  const card = h("article", { class: "card panel-card" }, head, toolbar, compared, content);
  const none = h("p", { class: "card none", hidden: true }, "No sentence matches the search.");
  const element = h("div", { class: "panel-place" }, card, none);

  store.watch(["gold", "look"], ({ gold, look: now }) => look.offer(graphsOf(gold.sentences), now));
  store.watch(["gold", "hits", "at", "look", "side", "other", "tally", "search"], show);
  store.watch(["mistake", "at", "confusion"], pointOut);

  /** @param {State} state */
  function show(state) {
    const sentence = currentOf(state);
    card.hidden = !sentence;
    none.hidden = Boolean(sentence) || !state.gold.sentences.length;
    none.textContent = state.search.running ? "Searching …" : "No sentence matches the search.";
    if (!sentence) {
      drawn = "";
      return;
    }
    const i = state.hits[state.at];
    const comparison = actions.comparisonOf(i);
    showVerdict(state, comparison);
    const { graph, below, shape, colours, compact, punctuation, lemmas } = state.look;
    const stamp = comparison ? comparison.problem ?? (comparison.waiting ? "waiting" : "compared") : "";
    const words = (state.search.found.get(i) ?? []).map((match) => match.words.join(",")).join(" ");
    const key = JSON.stringify([state.gold.name, sentence.line, i, graph, below, shape, colours, compact, punctuation, lemmas, state.side, stamp, words]);
    if (key === drawn) return;
    drawn = key;
    draw(state, sentence, comparison);
  }

  /** @param {State} state @param {Comparison | undefined} comparison */
  function showVerdict(state, comparison) {
    compared.hidden = !comparison;
    sides.element.hidden = !comparison?.verdict;
    sides.set(state.side);
    if (!comparison) return;
    if (comparison.waiting) verdict.textContent = "Waiting for the prediction …";
    else verdict.textContent = comparison.verdict ? scoreLine(comparison.verdict, state.look.graph) : `Cannot be compared: ${comparison.problem}.`;
  }

  /** @param {State} state @param {Sentence} sentence @param {Comparison | undefined} comparison */
  function draw(state, sentence, comparison) {
    picture = null;
    toolbar.hidden = Boolean(sentence.error);
    if (sentence.error) {
      refill(head, heading(sentence.id));
      refill(content, h("p", { class: "notice bad broken" }, sentence.error),
        sentence.raw ? h("pre", { class: "raw", tabindex: 0, "aria-label": "The lines of the file" }, sentence.raw) : null);
      return;
    }
    const predicted = comparison?.verdict && state.side === "predicted" ? comparison.sentence : undefined;
    const subject = predicted ?? sentence;
    const drawnLook = predicted ? { ...state.look, graph: comparison?.theirGraph ?? state.look.graph } : state.look;
    const scene = comparison?.verdict && state.side === "both" ? comparedScene(sentence, comparison.verdict.edges, state.look) : sceneOf(subject, drawnLook);
    if (!predicted) markFound(scene, state.search.found.get(state.hits[state.at]) ?? [], state.look.graph);
    const made = viewer(scene, state.look, { name: textOf(sentence), idle: captionOf(subject, drawnLook), enterFirst: true, width: card.clientWidth });
    picture = made;
    const whose = comparison?.verdict ? (predicted ? `predicted, ${state.other.title}` : `gold, as in ${state.gold.name}`) : "";
    const source = () => ({ sentences: [subject], graph: drawnLook.graph, pictures: () => [made.picture().svg], stem: stemOf(sentence.id || textOf(sentence)), whose });
    refill(head, heading(textOf(sentence),
      button("As labels", () => explain(subject, drawnLook.graph), { class: "quiet" }), saveMenu("Save", source, { class: "quiet" }, whose && `Text: ${whose}`)),
    h("p", { class: "sentence-id" }, sentence.id));
    refill(content,
      sentence.warning ? h("p", { class: "notice bad broken" }, sentence.warning) : null,
      hasGraph(subject, drawnLook.graph) ? null : h("p", { class: "hint no-graph" }, "This sentence has no arcs here."),
      made.element);
    showFirst(state, scene);
  }

  /** Bring what was found, or the first mistake, into sight. @param {State} state @param {Scene} scene */
  function showFirst(state, scene) {
    const found = (state.search.found.get(state.hits[state.at]) ?? []).flatMap((match) => match.words).filter((word) => word > 0);
    const wrong = mistakesOf(state, state.hits[state.at])[0];
    const edge = state.tally.verdicts.get(state.hits[state.at])?.edges[wrong];
    const word = found.length ? Math.min(...found) : edge && state.side === "both" ? Math.min(edge.dependent, edge.head || edge.dependent) : 0;
    const place = placeInScene(scene, word);
    const shown = picture;
    if (place && shown) requestAnimationFrame(() => { if (picture === shown) shown.reveal(place); });
  }

  /** Show the mistake that is pointed out. @param {State} state */
  function pointOut(state) {
    if (state.mistake < 0 || !picture) return;
    const edge = state.tally.verdicts.get(state.hits[state.at])?.edges[mistakesOf(state, state.hits[state.at])[state.mistake]];
    const { scene } = picture.picture();
    const arc = edge ? scene.edges.findIndex((one) => one.head === placeInScene(scene, edge.head) && one.dependent === placeInScene(scene, edge.dependent)) : -1;
    if (arc >= 0) picture.goTo({ arc });
  }

  return { element };
}

/** @param {string} text @param {import("../ui/dom.js").Child[]} actions */
function heading(text, ...actions) {
  return h("header", { class: "card-head" },
    h("h2", {}, h("span", { class: "sentence-text", dir: "auto" }, text)),
    actions.length ? h("div", { class: "actions" }, actions) : null);
}
