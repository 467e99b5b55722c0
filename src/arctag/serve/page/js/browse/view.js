// The view that browses treebanks.
import { get } from "../api.js";
import { MAIN } from "../graph/graphs.js";
import { countWords } from "../graph/nodes.js";
import { hashOf, showRoute } from "../route.js";
import { button } from "../ui/controls.js";
import { count, h, isTyping, refill } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { textOf } from "../ui/sentence_card.js";
import { scores } from "./compare.js";
import { passes } from "./filter.js";
import { longList } from "./list.js";
import { dropZone, fileButton } from "./opener.js";
import { sentencePanel } from "./panel.js";
import { predictionControls } from "./predictions.js";
import { searchBar } from "./search.js";
import { emptyTreebank, readTreebank } from "./treebank.js";

const SAMPLE = ["gold.conllu", "predicted.conllu"];

async function fetchFile(address, name) {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${name} is no longer available from the service.`);
  return new File([await response.blob()], name);
}

const sampleFile = (name) => fetchFile(`static/examples/${name}`, name);

/** The view: its element, `open`, and `key` for the arrow keys. */
export function browseView() {
  let gold = emptyTreebank("");
  let isSample = false;
  let served = []; // the files that the service was given
  let servedNumber = 0; // which of them is open
  let reading = new AbortController();
  let hits = []; // the numbers of the sentences that pass the filter
  let at = 0; // the one shown, as its place among the hits
  let seen = 0; // sentences that have been filtered
  let relations = new Set();
  let look = { side: "both", graph: MAIN }; // of the panel
  let drawn = ""; // what the panel shows, so that it is drawn again only if that changes
  let asked = false; // whether models and files have been asked for

  const search = searchBar(refilter);
  const predictions = predictionControls(() => gold, () => hits[at] ?? 0, () => { search.offerMistakes(predictions.active()); if (search.filter().wrong) refilter(); else showSentence(); });
  const name = h("h2", { class: "file-name" });
  const facts = h("p", { class: "status", role: "status" });
  const bar = h("progress", { class: "bar", max: 1, "aria-label": "Reading" });
  const failure = h("p", { class: "notice bad", role: "alert", hidden: true });
  const list = longList("Sentences", rowOf, goTo);
  const before = button("←", () => goTo(at - 1), { class: "icon", "aria-label": "Previous sentence (←)" });
  const after = button("→", () => goTo(at + 1), { class: "icon", "aria-label": "Next sentence (→)" });
  const where = h("p", { class: "where", "aria-live": "polite" });
  const place = h("div", { class: "panel-place" });
  const offered = h("p", { class: "buttons", hidden: true });
  const welcome = h("section", { class: "card welcome" },
    h("h2", {}, "Open a treebank"),
    h("p", {}, "CoNLL-U, CoNLL-U Plus or SDP, also gzipped. Drop a file anywhere on this page, or two at once to compare the second with the first. Large files are read in chunks."),
    offered,
    h("p", { class: "buttons" }, fileButton("Choose a file", openFile, { class: "main" }), button("See a small example", openSample)));
  const main = h("div", { class: "treebank", hidden: true },
    h("section", { class: "card bank-head", "aria-label": "Treebank" },
      h("div", { class: "bank-title" }, name, facts, fileButton("Open another", openFile, { class: "quiet" })), bar, search.element, predictions.element),
    failure,
    h("div", { class: "shelf" }, h("div", { class: "card list-card" }, h("div", { class: "pager" }, before, where, after), list.element), place));
  const element = h("div", { class: "browse-view" }, h("h1", { class: "unseen" }, "Browse a treebank"), welcome, main);
  dropZone(element, ([first, second]) => {
    openFile(first);
    if (second) predictions.openFile(second);
  });

  function openFile(file, number = 0) {
    [isSample, servedNumber] = [false, number];
    return start(file);
  }

  async function openServed(number) {
    const found = served.find((one) => one.number === number);
    if (!found || servedNumber === number) return;
    try {
      await openFile(await fetchFile(`api/files/${number}`, found.name), number);
    } catch (error) {
      notify(error.message, true);
    }
  }

  /** Files that the service was given: a single one is opened at once, more are offered. */
  async function askForFiles() {
    served = await get("api/files").then((answer) => answer.files, () => []);
    refill(offered, served.map(({ number, name: called }) => button(called, () => openServed(number), { class: "main" })));
    offered.hidden = !served.length;
  }

  async function openSample() {
    const [first, second] = await Promise.all(SAMPLE.map(sampleFile));
    [isSample, servedNumber] = [true, 0];
    const read = start(first);
    await Promise.all([read, predictions.openFile(second)]);
  }

  function start(file) {
    reading.abort();
    reading = new AbortController();
    gold = emptyTreebank(file.name);
    [hits, at, seen, drawn, relations] = [[], 0, 0, "", new Set()];
    predictions.stop();
    search.reset();
    search.offerMistakes(false);
    welcome.hidden = true;
    main.hidden = false;
    showAddress();
    return readTreebank(gold, file, grown, reading.signal);
  }

  const fits = (i) => passes(gold.sentences[i], search.filter(), () => predictions.isWrong(i));

  /** More of the file has been read. */
  function grown() {
    for (; seen < gold.sentences.length; seen += 1) {
      gold.sentences[seen].arcs?.forEach((arc) => arc.relations.forEach((one) => relations.add(one)));
      if (fits(seen)) hits.push(seen);
    }
    if (gold.whole) search.offerRelations([...relations].sort());
    showHead();
    predictions.showTotal();
    showSentence();
  }

  function refilter() {
    const current = hits[at];
    hits = gold.sentences.map((_, i) => i).filter(fits);
    at = Math.max(0, hits.indexOf(current));
    drawn = "";
    showSentence();
    showAddress();
  }

  function showHead() {
    const broken = gold.sentences.filter((sentence) => sentence.error).length;
    const parts = [count(gold.sentences.length, "sentence"), countWords(gold.sentences)];
    if (broken) parts.push(`${broken} broken`);
    if (!gold.whole) parts.push("reading …");
    name.textContent = gold.name;
    facts.textContent = parts.join(" · ");
    bar.hidden = gold.whole;
    bar.value = gold.read;
    failure.hidden = !gold.failure;
    failure.textContent = gold.failure;
  }

  function goTo(i) {
    if (!hits.length) return;
    at = Math.max(0, Math.min(i, hits.length - 1));
    predictions.want(hits[at]);
    showSentence();
    showAddress();
  }

  /** Let the address say what is open, and which sentence is shown if there is one. */
  function showAddress() {
    showRoute(hashOf("browse", { x: isSample ? 1 : "", f: servedNumber || "", i: hits.length ? hits[at] + 1 : "", ...search.address() }));
  }

  function rowOf(row) {
    const i = hits[row];
    const sentence = gold.sentences[i];
    const counts = predictions.of(i)?.compared?.counts;
    const LF = counts ? scores(counts).LF : null;
    return [
      h("span", { class: "row-number" }, String(i + 1)),
      h("span", { class: "row-text", dir: "auto" }, sentence.error ? sentence.id : textOf(sentence)),
      sentence.error ? h("span", { class: "badge bad" }, "broken") : null,
      sentence.planes > 1 ? h("span", { class: "badge" }, `${sentence.planes} planes`) : null,
      sentence.cyclic ? h("span", { class: "badge" }, "cyclic") : null,
      LF === null ? null : h("span", { class: LF < 100 ? "badge bad" : "badge good", title: "LF" }, LF.toFixed(0)),
    ];
  }

  function showSentence() {
    list.show(hits.length, hits.length ? at : -1);
    where.textContent = hits.length ? `${(at + 1).toLocaleString("en")} of ${hits.length.toLocaleString("en")}` : "none";
    before.disabled = at === 0;
    after.disabled = at >= hits.length - 1;
    if (hits.length) showPanel(hits[at]);
    else {
      drawn = "";
      refill(place, gold.sentences.length ? h("p", { class: "card none" }, "No sentence matches the search.") : null);
    }
  }

  function showPanel(i) {
    const state = [i, look.side, look.graph, predictions.stamp(i)].join(" ");
    if (state === drawn) return;
    drawn = state;
    refill(place, sentencePanel(gold.sentences[i], predictions.of(i), { gold: gold.name, predicted: predictions.name() }, search.filter(), look, (change) => { look = { ...look, ...change }; showSentence(); }));
  }

  async function open(params) {
    const before = gold;
    if (!asked) {
      asked = true;
      predictions.setModels(await get("api/models").then((answer) => answer.models.map((model) => model.name), () => []));
      await askForFiles();
      if (served.length === 1 && params.get("x") !== "1") await openServed(1);
    }
    if (params.has("f") && !served.some((one) => String(one.number) === params.get("f"))) notify(`The service has no file ${params.get("f")}.`, true);
    await openServed(Number(params.get("f")));
    if (params.get("x") === "1" && !isSample) await openSample();
    if ([...params.keys()].length && !main.hidden) show(params, gold === before || search.isEmpty());
  }

  /** Search for what an address says, unless someone has searched meanwhile, and go to its sentence. */
  function show(params, searching) {
    if (searching) search.take(params);
    refilter();
    const wanted = hits.indexOf(Number(params.get("i")) - 1);
    if (wanted >= 0) goTo(wanted);
    else if (params.has("i")) notify(`This treebank has no sentence ${params.get("i")}.`, true);
  }

  /** ← and → go to the next sentence wherever they have no other meaning. */
  function key(event) {
    if (event.defaultPrevented || isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("details.menu, fieldset")) return;
    if (event.key === "ArrowRight") goTo(at + 1);
    else if (event.key === "ArrowLeft") goTo(at - 1);
    else return;
    event.preventDefault();
  }

  return { element, open, key };
}
