// @ts-check
// The view that parses text as it is typed.
import { get, isAbort, messageOf, ServiceError } from "../api.js";
import { copyText } from "../export/save.js";
import { graphsIn } from "../graph/graphs.js";
import { TooMuch } from "../pack.js";
import { readRoute, showRoute } from "../route.js";
import { createStore } from "../store.js";
import { h } from "../ui/dom.js";
import { keepLook, settled } from "../ui/look.js";
import { notify } from "../ui/toast.js";
import { entry } from "./entry.js";
import { parsed } from "./request.js";
import { results } from "./results.js";
import { addressOf, firstState, LONGEST, readAddress, requestOptions, textOfAddress } from "./state.js";

const WAIT = 350; // milliseconds after the last key
const LATE = 300; // milliseconds before old graphs are greyed
const TOO_LARGE = 413;
const TOO_LONG = "A paragraph of this text is longer than the service accepts. Split it with empty lines, or parse the text as a file: arctag parse FILE.";
const LOOPBACK = /^(localhost|127\.|\[::1\])/;

/** What this is, and where texts go. */
function introduction() {
  const here = LOOPBACK.test(location.hostname) ? "It runs on this machine, and your text stays here." : `It runs at ${location.host}, and your text is sent nowhere else.`;
  return h("p", { class: "lead" }, `Arctag parses text into dependency graphs: which word belongs to which, and how. ${here}`);
}

/** The view. @returns {import("../types").View} */
export function parseView() {
  const store = createStore(firstState());
  /** The requests that are under way. */
  let running = new AbortController();
  let timer = 0;

  const card = entry(store, {
    type: (text) => { store.set({ text }); busy(true); clearTimeout(timer); timer = window.setTimeout(parseAgain, WAIT); },
    take: (text) => { store.set({ text }); parseAgain(true); },
    ask: (changes) => { store.set(changes); parseAgain(); },
    look: (changes) => { store.set({ look: { ...store.state.look, ...changes } }); keepLook(store.state.look); remember(); },
  });
  const found = results(store, { link: copyLink, stop: () => { running.abort(); finish("stopped"); } });
  const element = h("div", { class: "parse-view" }, h("h1", { class: "unseen" }, "Parse text"), introduction(), card.element, found.elements);

  /** Mark that what is shown is about to change. @param {boolean} yes */
  function busy(yes) {
    if (yes) element.setAttribute("aria-busy", "true");
    else element.removeAttribute("aria-busy");
  }

  /** Parse what is asked for now; `step` makes it an entry in the history. */
  function parseAgain(step = false) {
    clearTimeout(timer);
    remember(step);
    return parse();
  }

  /** Parse the text, and abort what runs already. Old graphs stay until there are new ones. */
  async function parse() {
    running.abort();
    const run = new AbortController();
    running = run;
    store.set({ phase: "waiting", done: 0, all: 0 });
    busy(true);
    const late = setTimeout(() => { if (running === run && store.state.phase === "waiting") store.set({ phase: "late" }); }, LATE);
    try {
      await showAll(run.signal);
      finish("idle");
    } catch (error) {
      if (isAbort(error)) return;
      refuse(error);
      finish("idle");
    } finally {
      clearTimeout(late);
    }
  }

  /** @param {"idle" | "stopped"} phase */
  function finish(phase) {
    store.set({ phase });
    busy(false);
  }

  /** Show an error; graphs of another text would only mislead. @param {unknown} error */
  function refuse(error) {
    const tooLarge = error instanceof ServiceError && error.status === TOO_LARGE;
    const { shown, text } = store.state;
    store.set({ error: tooLarge ? TOO_LONG : messageOf(error), ...(shown === text ? {} : { sentences: [], skipped: 0 }) });
  }

  /** @param {AbortSignal} signal */
  async function showAll(signal) {
    const started = performance.now();
    const { text, reading } = store.state;
    /** @type {import("../types").Sentence[]} */
    let sentences = [];
    let skipped = 0;
    for await (const chunk of parsed(text ?? "", reading, requestOptions(store.state), signal)) {
      sentences = [...sentences, ...chunk.sentences];
      skipped += chunk.skipped;
      store.set({
        sentences, skipped, shown: text, error: "", phase: "parsing", done: chunk.done, all: chunk.all,
        milliseconds: performance.now() - started, look: look(sentences),
      });
    }
    if (!sentences.length) store.set({ sentences, skipped, shown: text, error: "" }); // nothing to parse
  }

  /** The look, with a graph that these sentences have; the same object if that is no change. @param {import("../types").Sentence[]} sentences */
  function look(sentences) {
    const now = store.state.look;
    const next = settled(now, graphsIn(sentences));
    return next.graph === now.graph && next.below === now.below ? now : next;
  }

  async function remember(step = false) {
    const hash = await addressOf(store.state);
    if (hash.length <= LONGEST) showRoute(hash, step);
    return hash.length <= LONGEST;
  }

  async function copyLink() {
    if (!await remember()) {
      notify("The text is too long for a link; save it as a file instead.", true);
      return;
    }
    await copyText(location.href).then(() => notify("Link copied"), (error) => notify(messageOf(error), true));
  }

  async function prepare() {
    if (store.state.models.length) return;
    const listed = await get("api/models");
    store.set({ models: listed.models, defaultModel: listed.default ?? listed.models[0]?.name ?? "" });
  }

  /** @param {URLSearchParams} params */
  async function open(params) {
    if (store.state.text !== null && ![...params.keys()].length) return;
    const before = store.state.text === null ? null : await addressOf(store.state);
    const text = await textOfAddress(params).catch((error) => {
      notify(error instanceof TooMuch ? `The text of this link is not shown: ${error.message}.` : "The link is damaged: its text cannot be read.", true);
      return "";
    });
    store.set({ text }); // at once: someone may begin to type while models are asked for
    try {
      await prepare();
    } catch (error) {
      store.set({ error: messageOf(error) });
      return;
    }
    const { asked, unknownModel } = readAddress(params, store.state);
    store.set(asked);
    const used = store.state.models.find((one) => one.name === asked.model);
    if (unknownModel) notify(`There is no model “${unknownModel.slice(0, 40)}”; ${used?.title ?? "another one"} is used.`, true);
    if (used && !used.raw_text) store.set({ reading: "words" });
    if (await addressOf(store.state) !== before) await parse();
  }

  const retry = () => { if (store.state.models.length) parse(); else open(readRoute().params); };

  return { element, open, retry };
}
