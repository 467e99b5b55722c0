// The view that explains encodings: a graph, its labels, and how the labels become the graph again.
import { get, post } from "../api.js";
import { saveMenu } from "../export/menu.js";
import { copyText } from "../export/save.js";
import { describeArc } from "../graph/highlight.js";
import { isRightToLeft } from "../graph/measure.js";
import { reveal } from "../graph/viewer.js";
import { showRoute } from "../route.js";
import { button, choice } from "../ui/controls.js";
import { h, isTyping, refill } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { addressOf, readAddress } from "./address.js";
import { board } from "./board.js";
import { labelFault, stepsFault, treeFault, wordsFault } from "./checks.js";
import { chooser, encodingName, familiesOf, isForTrees } from "./chooser.js";
import { bareArc, comparison } from "./comparison.js";
import { lessonEdges } from "./edges.js";
import { EXAMPLES, exampleOf } from "./examples.js";
import { hasArc, makeGraph, withArc, withHead, withoutArc, withWords } from "./graph.js";
import { showCoverage, showLabel, showNoTree } from "./panels.js";
import { player } from "./player.js";
import { lessonScene, showStep } from "./scene.js";

const OWN = "own";
const HINT = "Drag from a head to its dependent to draw an arc. Click a word for its label, an arc to delete it.";
const RTL_HINT = " In explanations, left means before and right after.";
const MOST_UNDO = 100;

function hintFor(graph) {
  return isRightToLeft(graph.words) ? HINT + RTL_HINT : HINT;
}

/** The view: its element, `open`, and `key` for the arrow keys. */
export function lessonView() {
  const state = {
    graph: { words: [], arcs: [] }, example: "", family: "", planes: 2, crossing: "relaxed", assign: "greedy",
    changed: null, showNulls: true, showRelations: true,
  };
  const past = [];
  let families = [];
  let parts = null; // the chooser and the comparison, once the encodings are known
  let answer = null; // { encoded, traced, edges }
  let origin = null; // where editing began
  let turn = 0;

  const hint = h("p", { class: "board-hint", "aria-live": "polite" });
  const actions = h("div", { class: "arc-actions" });
  const undoButton = button("Undo", undo, { class: "quiet" });
  const resetButton = button("Reset", () => change(origin.graph, origin.example), { class: "quiet" });
  const play = player(moved);
  const table = board({ connect, remove, select: showChosen, undo });
  const coverage = h("section", { class: "card panel coverage", "aria-label": "Coverage", "aria-live": "polite" });
  const label = h("section", { class: "card panel label-panel", "aria-label": "Label" });
  const notice = h("p", { class: "notice bad", role: "alert", hidden: true });
  const example = choice("Example", [...EXAMPLES.map(({ name, title }) => [name, title]), [OWN, "Your own"]], "", (name) => {
    if (name !== OWN) takeExample(name);
  });
  const wordsId = "lesson-words";
  const words = h("input", { id: wordsId, type: "text", dir: "auto", autocomplete: "off", spellcheck: "false", on: { change: () => takeWords(words.value) } });
  const side = h("aside", { class: "side card", "aria-label": "Choose" });
  const element = h("div", { class: "lesson-view" },
    h("h1", { class: "unseen" }, "Encodings, explained"),
    side,
    h("div", { class: "lesson" },
      notice,
      h("section", { class: "card board-card", "aria-label": "Graph and labels" },
        h("header", { class: "board-head" }, hint, actions, h("div", { class: "actions" }, undoButton, resetButton,
          button("Copy link", copyLink, { class: "quiet" }),
          saveMenu("Save", () => ({ sentences: [state.graph], pictures: () => [table.picture().svg], stem: encodingName(state, families) }), { class: "quiet" }))),
        h("p", { class: "working", role: "status" }, h("span", {}, "working …")), table.element),
      play.element,
      h("div", { class: "panels" }, coverage, label)));

  async function prepare() {
    if (parts) return;
    families = familiesOf((await get("api/encodings")).encodings);
    parts = { chooser: chooser(state, families, () => { state.changed = null; update(); }), comparison: comparison(families) };
    refill(side, parts.chooser.element, h("div", { class: "source" }, example.element, h("div", { class: "field" }, h("label", { for: wordsId }, "Words"), words)));
    element.lastElementChild.append(parts.comparison.element);
  }

  /**
   * Send the graph to the service and show the answer; a later request replaces an earlier one.
   *
   * With `keepNotice`, what was refused before stays readable.
   */
  async function update(position, keepNotice = false) {
    turn += 1;
    const mine = turn;
    const { graph } = state;
    const encoding = encodingName(state, families);
    wait();
    try {
      const fault = isForTrees(state, families) ? treeFault(graph) : "";
      if (fault) {
        showWithoutLabels(fault);
        return;
      }
      const encoded = await post("api/encode", { words: graph.words, arcs: graph.arcs.map(bareArc), encoding, planes: state.assign, crossing: state.crossing });
      const labels = state.changed ?? encoded.labels;
      const nulls = encoded.nulls?.some((planes) => planes.length) ? encoded.nulls : undefined;
      const traced = await trace(labels, encoding, nulls);
      if (mine !== turn) return;
      if (traced.refusal && state.changed) {
        fail(new Error(traced.refusal));
        state.changed = null;
        update(position, true);
        return;
      }
      notice.hidden = !keepNotice;
      show(encoded, labels, traced, position);
    } catch (error) {
      if (mine === turn) fail(error);
    } finally {
      if (mine === turn) {
        element.removeAttribute("aria-busy");
        table.element.removeAttribute("aria-busy");
      }
    }
  }

  /** How the labels are decoded; or why that cannot be explained. */
  async function trace(labels, encoding, nulls) {
    const refusal = stepsFault(labels);
    if (refusal) return { steps: [], repairs: 0, refusal };
    return post("api/trace", { words: state.graph.words, labels, encoding, nulls }).catch((error) => ({ steps: [], repairs: 0, refusal: error.message }));
  }

  /** The picture is out of date until `show`: it is greyed, and cannot be stepped through. */
  function wait() {
    element.setAttribute("aria-busy", "true");
    table.element.setAttribute("aria-busy", "true");
    element.classList.add("stale");
    words.value = state.graph.words.join(" ");
    play.hold();
  }

  function show(encoded, labels, traced, position) {
    const { graph } = state;
    element.classList.remove("stale");
    const shown = traced.refusal ? { ...traced, steps: [madeAtOnce(encoded)] } : traced;
    const edges = lessonEdges(graph, encoded, shown, state);
    answer = { words: graph.words, encoded, labels, traced: shown, edges };
    const planes = families.find((one) => one.family === state.family)?.planes.length ? state.planes : null;
    table.draw(lessonScene(graph, edges, labels, encoded.labels, state.family, planes));
    if (traced.refusal) play.refuse(traced.refusal);
    else play.load(traced.steps, graph.words, position);
    showCoverage(coverage, edges, graph.words, traced.repairs, state.changed !== null);
    showChosen(table.chosen(), table.inHand());
    parts.comparison.update(graph, state);
    words.value = graph.words.join(" ");
    example.select.value = state.example || OWN;
    undoButton.disabled = !past.length;
    resetButton.disabled = graph === origin.graph;
    moved(play.position());
  }

  /** The graph alone, where it is no tree and the encoding is for trees only. */
  function showWithoutLabels(fault) {
    const { words: forms, arcs } = state.graph;
    const labels = forms.map(() => "");
    const refusal = `${encodingName(state, families)} is for trees only, and ${fault}.`;
    state.changed = null;
    show({ labels, planes: arcs.map(() => 1), decoded: arcs.map(bareArc), null_arcs: [] }, labels, { steps: [], repairs: 0, refusal });
    showNoTree(coverage, refusal);
    notice.hidden = true;
  }

  /** Where the steps cannot be explained, all decoded arcs count as one step. */
  function madeAtOnce(encoded) {
    const planes = new Map(state.graph.arcs.map((arc, i) => [`${arc.head} ${arc.dependent}`, encoded.planes[i] || 1]));
    const new_arcs = encoded.decoded.map((arc) => ({ ...arc, plane: planes.get(`${arc.head} ${arc.dependent}`) ?? 1 }));
    return { word: null, text: "", stacks: {}, new_arcs, null_arcs: encoded.null_arcs };
  }

  function moved(at) {
    if (!answer) return;
    showStep(table.picture(), answer.traced.steps, answer.traced.refusal ? Infinity : at, state.family);
    const step = play.current();
    if (step?.word) reveal(table.element, table.picture(), step.word);
    remember();
  }

  function fail(error) {
    notice.textContent = error.message;
    notice.hidden = false;
  }

  /** Change the graph; the old one can be had back. */
  function change(graph, exampleName = "") {
    past.push({ graph: state.graph, example: state.example });
    if (past.length > MOST_UNDO) past.shift();
    Object.assign(state, { graph, example: exampleName, changed: null });
    update();
  }

  function undo() {
    if (!past.length) return;
    Object.assign(state, past.pop(), { changed: null });
    update();
  }

  /** Whether the words on the board are those of the graph; while another one is on its way they are not. */
  const isCurrent = () => answer?.words === state.graph.words;

  function connect(head, dependent) {
    if (!isCurrent()) return;
    if (dependent === 0) notify("The root has no head: no arc leads to it.", true);
    else if (head === dependent) notify(`“${nameOf(head)}” cannot be its own head: an arc leads to another word.`, true);
    else if (hasArc(state.graph, head, dependent)) notify(`There is an arc ${nameOf(head)} → ${nameOf(dependent)} already.`);
    else change((isForTrees(state, families) ? withHead : withArc)(state.graph, head, dependent));
  }

  function remove(edge) {
    if (isCurrent() && hasArc(state.graph, edge.head, edge.dependent)) change(withoutArc(state.graph, edge.head, edge.dependent));
  }

  function takeExample(name) {
    const example = exampleOf(name);
    origin = { graph: makeGraph(example.words, example.arcs), example: example.name };
    change(origin.graph, origin.example);
  }

  function takeWords(text) {
    const forms = text.trim().split(/\s+/).filter(Boolean);
    const fault = wordsFault(forms);
    if (fault) {
      notify(fault, true);
      words.value = state.graph.words.join(" ");
    } else change(withWords(state.graph, forms));
  }

  function changeLabel(word, text) {
    const fault = labelFault(text, state.family, state.planes, encodingName(state, families));
    if (fault) {
      fail(new Error(fault));
      return;
    }
    const labels = [...answer.labels];
    labels[word - 1] = text;
    state.changed = labels;
    update();
  }

  const nameOf = (word) => (word === 0 ? "root" : state.graph.words[word - 1]);

  /** What to do with a head in hand and another word under the cursor. */
  function dependentHint(word, head) {
    if (word === undefined || word === head) return "Now choose the dependent.";
    return word === 0 ? "The root cannot be a dependent." : `Dependent: ${nameOf(word)}? Enter to draw.`;
  }

  /** Say what is chosen, and what can be done with it. */
  function showChosen(target, inHand) {
    const edge = target?.arc !== undefined ? answer.edges[target.arc] : null;
    const waiting = inHand !== null && inHand !== undefined;
    if (waiting) hint.textContent = `Head: ${nameOf(inHand)}. ${dependentHint(target?.word, inHand)}`;
    else if (edge) hint.textContent = describeArc({ words: state.graph.words }, { ...edge, label: edge.kind === "null" ? "a null arc" : edge.label });
    else hint.textContent = target ? `Word ${target.word}: ${nameOf(target.word)}` : hintFor(state.graph);
    const mayTake = target?.word !== undefined && !waiting;
    refill(actions,
      edge && edge.kind !== "null" && edge.kind !== "added" ? button("Delete arc", () => remove(edge)) : null,
      mayTake ? button("Draw an arc from here", () => table.take(target.word)) : null,
      waiting ? button("Cancel", () => table.take(null)) : null);
    const { encoded, labels } = answer;
    showLabel(label, target?.word || null, { words: state.graph.words, labels, original: encoded.labels, parts: encoded.parts, family: state.family },
      { change: changeLabel, restore: () => { state.changed = null; update(); } });
  }

  async function remember() {
    const step = play.atEnd() ? undefined : play.position();
    showRoute(await addressOf(state, encodingName(state, families), step));
  }

  async function copyLink() {
    await remember();
    await copyText(location.href).then(() => notify("Link copied"), (error) => notify(error.message, true));
  }

  async function open(params) {
    try {
      await prepare();
      if (answer && ![...params.keys()].length) return;
      const { step, unknown, ...shown } = await readAddress(params, families).catch(() => {
        notify("The link is damaged: its graph cannot be read.", true);
        return readAddress(new URLSearchParams(), families);
      });
      if (unknown.length) notify(`The link names an unknown ${unknown.join(" and ")}; another one is shown.`, true);
      Object.assign(state, shown);
      origin = { graph: shown.graph, example: shown.example };
      parts.chooser.show();
      await update(step);
    } catch (error) {
      fail(error);
    }
  }

  /** Arrow keys step wherever they have no other meaning; so does the space bar play. */
  function key(event) {
    if (event.defaultPrevented || isTyping(event.target) || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.target.closest?.("input, details.menu")) return;
    if (event.key === "ArrowRight") play.step(1);
    else if (event.key === "ArrowLeft") play.step(-1);
    else return;
    event.preventDefault();
  }

  return { element, open, key, leave: play.stop };
}
