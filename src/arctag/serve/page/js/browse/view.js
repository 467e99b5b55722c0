// @ts-check
// The view that browses treebanks.
import { get } from "../api.js";
import { MAIN } from "../graph/graphs.js";
import { hashOf, readRoute, showRoute } from "../route.js";
import { createStore } from "../store.js";
import { button } from "../ui/controls.js";
import { digits, h, isTyping, refill } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { browser } from "./browser.js";
import { compareBar } from "./compare_bar.js";
import { confusionTable } from "./confusions.js";
import { factsOf, hintOf } from "./contents.js";
import { longList } from "./list.js";
import { dropZone, fileButton } from "./opener.js";
import { sentencePanel } from "./panel.js";
import { rowContent } from "./rows.js";
import { searchBar } from "./search_bar.js";
import { KINDS } from "./searching.js";
import { firstState } from "./state.js";

/** @typedef {import("./state.js").State} State */

/** The view. @returns {import("../types").View} */
export function browseView() {
  const store = createStore(firstState());
  const actions = browser(store, notify);
  let asked = false; // whether models and files have been asked for
  let opening = false; // while an address is being followed, it is not written

  const offered = h("p", { class: "buttons", hidden: true });
  const welcome = h("section", { class: "card welcome" },
    h("h2", {}, "Open a treebank"),
    h("p", {}, "CoNLL-U, CoNLL-U Plus or SDP, also gzipped. Drop a file anywhere on this page, or two at once to compare the second with the first. Files stay on this machine, and large ones are read in chunks."),
    offered,
    h("p", { class: "buttons" }, fileButton("Choose a file", actions.openFile, { class: "main" }), button("See a small example", () => openStep(actions.openSample))));
  const list = longList("Sentences", (row) => rowContent(store.state, row), actions.goTo);
  const panel = sentencePanel(store, { comparisonOf: actions.comparisonOf, look: actions.lookAt, side: (side) => store.set({ side }) });
  const main = h("div", { class: "treebank", hidden: true },
    treebankHead(store, actions),
    h("div", { class: "shelf" }, h("div", { class: "card list-card" }, pager(store, actions), list.element), h("div", { class: "panel-column" }, panel.element, confusionTable(store, actions.showConfusion).element)));
  const element = h("div", { class: "browse-view" }, h("h1", { class: "unseen" }, "Browse a treebank"), welcome, main);
  dropZone(element, ([first, second]) => {
    actions.openFile(first);
    if (second) actions.compareWithFile(second);
  });

  store.watch(["origin"], ({ origin }) => {
    welcome.hidden = origin.kind !== "";
    main.hidden = origin.kind === "";
  });
  store.watch(["served"], ({ served }) => {
    refill(offered, served.map(({ number, name }) => button(name, () => openStep(() => actions.openServed(number)), { class: "main" })));
    offered.hidden = !served.length;
  });
  store.watch(["hits", "at", "tally", "search", "look"], ({ hits, at }) => list.show(hits.length, hits.length ? at : -1));
  store.watch(["origin", "at", "hits", "query", "facets", "look"], () => { if (!opening) showAddress(); });

  /** Open something, as a step that one can go back from. @param {() => Promise<void>} open */
  async function openStep(open) {
    await open();
    showAddress(true);
  }

  /** Let the address say what is open, and which sentence is shown if there is one. */
  function showAddress(step = false) {
    const { origin, hits, at, query, facets, look } = store.state;
    showRoute(hashOf("browse", {
      x: origin.kind === "sample" ? 1 : "", f: origin.number || "", i: hits.length && (at > 0 || hits[at] > 0) ? hits[at] + 1 : "",
      q: query.text, k: query.text && query.kind !== "form" ? query.kind || "pattern" : "", p: facets.planes || "", c: facets.cyclic ? 1 : "", b: facets.broken ? 1 : "",
      v: look.graph === MAIN ? "" : look.graph,
    }), step);
  }

  async function askOnce() {
    if (asked) return;
    asked = true;
    const [models, served] = await Promise.all([
      get("api/models").then((answer) => answer.models, () => []),
      get("api/files").then((answer) => answer.files, () => []),
    ]);
    store.set({ models, served });
  }

  /** @param {URLSearchParams} params */
  async function open(params) {
    const first = !asked;
    opening = true;
    try {
      await askOnce();
      await openOrigin(params, first);
      if (store.state.origin.kind === "") {
        if (params.has("i") || params.has("q")) notify(`The link names ${params.has("i") ? `sentence ${params.get("i")?.slice(0, 20)}` : "a search"} of a treebank that is not open: open the file first.`, true);
      } else if ([...params.keys()].length) follow(params);
    } finally {
      opening = false;
    }
    showAddress();
  }

  /** Open the treebank that an address names; a single one that the service was given is opened at once. @param {URLSearchParams} params @param {boolean} first */
  async function openOrigin(params, first) {
    const { served, origin } = store.state;
    const number = Number(params.get("f"));
    if (params.has("f") && !served.some((one) => one.number === number)) notify(`The service has no file ${params.get("f")?.slice(0, 20)}.`, true);
    else if (params.has("f") && origin.number !== number) await actions.openServed(number);
    else if (params.get("x") === "1" && origin.kind !== "sample") await actions.openSample();
    else if (first && served.length === 1 && !params.has("f")) await actions.openServed(1);
  }

  /** Search for what an address says, and go to its sentence. @param {URLSearchParams} params */
  function follow(params) {
    const flag = (/** @type {string} */ name) => params.get(name) === "1";
    const kind = params.get("k") === "pattern" ? "" : KINDS.find(([name]) => name === params.get("k"))?.[0] ?? "form";
    if (params.has("v") || store.state.look.graph !== MAIN) actions.lookAt({ graph: params.get("v") || MAIN });
    actions.narrow({ planes: [2, 3, 4].find((number) => String(number) === params.get("p")) ?? 0, cyclic: flag("c"), broken: flag("b") });
    actions.find({ kind, text: params.get("q") ?? "" });
    if (!params.has("i")) return;
    const wanted = Number(params.get("i")) - 1;
    if (!store.state.gold.sentences[wanted]) notify(`This treebank has no sentence ${params.get("i")?.slice(0, 20)}.`, true);
    else actions.showSentence(wanted);
  }

  /** ← and → go to the next sentence, N and P to the next mistake, wherever they have no other meaning. @param {KeyboardEvent} event */
  function key(event) {
    if (event.defaultPrevented || isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target instanceof Element && event.target.closest("details.menu, fieldset")) return;
    const pressed = event.key.toLowerCase();
    if (event.key === "ArrowRight") actions.goTo(store.state.at + 1);
    else if (event.key === "ArrowLeft") actions.goTo(store.state.at - 1);
    else if (store.state.other.kind && (pressed === "n" || pressed === "p")) actions.nextMistake(pressed === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  }

  /** Ask for models and files again, if that failed, and search again. */
  function retry() {
    if (!store.state.models.length) {
      asked = false;
      open(readRoute().params);
    }
    if (store.state.search.error) actions.find(store.state.query);
  }

  return { element, open, key, retry };
}

/**
 * The card above the list: the file, what it has, the search and the comparison.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {ReturnType<typeof browser>} actions
 */
function treebankHead(store, actions) {
  const name = h("h2", { class: "file-name" });
  const facts = h("p", { class: "status file-facts", role: "status" });
  const bar = h("progress", { class: "bar", max: 1, "aria-label": "Reading" });
  const failure = h("p", { class: "notice bad", role: "alert", hidden: true });
  const hint = h("p", { class: "notice soft", role: "status", hidden: true });
  store.watch(["gold"], ({ gold }) => {
    name.textContent = gold.name;
    facts.textContent = factsOf(gold);
    bar.hidden = gold.whole;
    bar.value = gold.read;
    failure.hidden = !gold.failure;
    failure.textContent = gold.failure;
    const missing = gold.whole ? hintOf(gold) : "";
    hint.hidden = !missing;
    hint.textContent = missing;
  });
  return [h("section", { class: "card bank-head", "aria-label": "Treebank" },
    h("div", { class: "bank-title" }, name, facts, fileButton("Open another", actions.openFile, { class: "quiet" })), bar,
    searchBar(store, actions).element,
    compareBar(store, { withModel: actions.compareWithModel, withFile: actions.compareWithFile, stop: actions.stopComparing, nextMistake: actions.nextMistake }).element), failure, hint];
}

/**
 * The line above the list: which of the sentences is shown, and the way to the next.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State) => void) => void }} store
 * @param {ReturnType<typeof browser>} actions
 */
function pager(store, actions) {
  const before = button("←", () => actions.goTo(store.state.at - 1), { class: "icon", "aria-label": "Previous sentence (←)" });
  const after = button("→", () => actions.goTo(store.state.at + 1), { class: "icon", "aria-label": "Next sentence (→)" });
  const where = h("p", { class: "where", "aria-live": "polite" });
  store.watch(["hits", "at"], ({ hits, at }) => {
    where.textContent = hits.length ? `${digits(at + 1)} of ${digits(hits.length)}` : "none";
    before.disabled = at === 0;
    after.disabled = at >= hits.length - 1;
  });
  return h("div", { class: "pager" }, before, where, after);
}
