// The view that parses text as it is typed.
import { get } from "../api.js";
import { copyText } from "../export/save.js";
import { showRoute } from "../route.js";
import { h } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { entry } from "./entry.js";
import { addressOf, freshOptions, LONGEST, readAddress, requestOptions } from "./options.js";
import { parsed } from "./request.js";
import { results } from "./results.js";

const WAIT = 350; // milliseconds after the last key
const STALE_AFTER = 300; // milliseconds before old graphs are greyed
const TOO_LARGE = 413;
const TOO_LONG = "A paragraph of this text is longer than the service accepts. Split it with empty lines, or parse the text as a file: arctag parse FILE.";

/** The view: its element, and `open`, which shows what an address asks for. */
export function parseView() {
  const options = freshOptions();
  let defaultModel = "";
  let ready = false;
  let running = null;
  let timer = 0;
  let late = 0; // the timer after which old graphs are greyed
  let shown = null; // the text whose graphs are shown

  const card = entry(options, {
    typing: () => { busy(true); clearTimeout(timer); timer = setTimeout(changed, WAIT); },
    changed,
    reshaped: () => { found.redraw(options); card.offerGraphs(found.graphs()); remember(); },
  });
  const found = results(copyLink);
  const element = h("div", { class: "parse-view" }, h("h1", { class: "unseen" }, "Parse text"), card.element, found.elements);

  /** Mark that what is shown is about to change. */
  function busy(yes) {
    if (yes) element.setAttribute("aria-busy", "true");
    else element.removeAttribute("aria-busy");
  }

  async function prepare() {
    if (ready) return;
    const listed = await get("api/models");
    defaultModel = listed.default ?? listed.models[0]?.name ?? "";
    card.setModels(listed.models);
    if (!listed.models.some((one) => one.name === options.model)) options.model = defaultModel;
    ready = true;
  }

  function changed() {
    clearTimeout(timer);
    remember();
    parse();
  }

  /** Parse the text, and abort what runs already. Old graphs stay until there are new ones. */
  async function parse() {
    running?.abort();
    const run = new AbortController();
    running = run;
    card.progress(undefined);
    busy(true);
    clearTimeout(late);
    late = setTimeout(found.wait, STALE_AFTER);
    try {
      await showAll(run.signal);
    } catch (error) {
      if (error.name !== "AbortError") refused(error);
    } finally {
      if (running === run) {
        clearTimeout(late);
        card.progress(null);
        busy(false);
      }
    }
  }

  /** Show an error; graphs of another text would only mislead. */
  function refused(error) {
    if (shown !== options.text) found.clear("");
    found.fail(error.status === TOO_LARGE ? new Error(TOO_LONG) : error);
  }

  async function showAll(signal) {
    const started = performance.now();
    let first = true;
    let skipped = 0;
    for await (const chunk of parsed(options.text, options.reading, requestOptions(options), signal)) {
      clearTimeout(late);
      if (first) found.clear();
      first = false;
      shown = options.text;
      skipped += chunk.skipped.length;
      found.add(chunk.sentences, options);
      found.sumUp(performance.now() - started, skipped, options, chunk.done < chunk.all);
      card.offerGraphs(found.graphs());
      if (chunk.all > 1) card.progress(chunk.done / chunk.all);
    }
    if (first) found.clear(); // nothing to parse
  }

  async function remember() {
    const hash = await addressOf(options, defaultModel);
    if (hash.length <= LONGEST) showRoute(hash);
    return hash.length <= LONGEST;
  }

  async function copyLink() {
    if (!await remember()) {
      notify("The text is too long for a link; save it as a file instead.", true);
      return;
    }
    await copyText(location.href).then(() => notify("Link copied"), (error) => notify(error.message, true));
  }

  async function open(params) {
    if (options.text !== null && ![...params.keys()].length) return;
    const before = options.text === null ? null : await addressOf(options, defaultModel);
    const read = await readAddress(params).catch(() => {
      notify("The link is damaged: its text cannot be read.", true);
      return freshOptions();
    });
    Object.assign(options, read, { text: read.text ?? "" });
    try {
      await prepare();
      options.model ||= defaultModel;
      card.show();
      if (await addressOf(options, defaultModel) !== before) await parse();
    } catch (error) {
      card.show();
      found.fail(error);
    }
  }

  return { element, open };
}
