// The view that parses what one types.
import { get } from "../api.js";
import { copyText } from "../export/save.js";
import { showRoute } from "../route.js";
import { h } from "../ui/dom.js";
import { tell } from "../ui/toast.js";
import { entry } from "./entry.js";
import { addressOf, freshOptions, LONGEST, readAddress, requestOptions } from "./options.js";
import { parsed } from "./request.js";
import { results } from "./results.js";

const WAIT = 350; // milliseconds after the last key
const PATIENCE = 300; // milliseconds before old graphs are marked as such
const TOO_LARGE = 413;
const TOO_LONG = "A paragraph of this text is longer than the service takes at a time. Put empty lines between its parts, or parse the text as a file: arctag parse FILE.";

/** The view: its element, and `open`, which shows what an address asks for. */
export function parseView() {
  const options = freshOptions();
  let usual = ""; // the model the service takes if none is named
  let ready = false;
  let running = null;
  let timer = 0;
  let late = 0; // the timer that says that an answer is late
  let shown = null; // the text whose graphs are there

  const card = entry(options, {
    typing: () => { busy(true); clearTimeout(timer); timer = setTimeout(changed, WAIT); },
    changed,
    reshaped: () => { found.redraw(options); remember(); },
  });
  const found = results(copyLink);
  const element = h("div", { class: "parse-view" }, h("h1", { class: "unseen" }, "Parse text"), card.element, found.elements);

  /** Say whether what is shown is about to change. */
  function busy(yes) {
    if (yes) element.setAttribute("aria-busy", "true");
    else element.removeAttribute("aria-busy");
  }

  async function prepare() {
    if (ready) return;
    const listed = await get("api/models");
    usual = listed.default ?? listed.models[0]?.name ?? "";
    card.setModels(listed.models);
    if (!listed.models.some((one) => one.name === options.model)) options.model = usual;
    ready = true;
  }

  function changed() {
    clearTimeout(timer);
    remember();
    parse();
  }

  /** Parse the text; what was asked before is no longer wanted. Old graphs stay until new ones are there. */
  async function parse() {
    running?.abort();
    const run = new AbortController();
    running = run;
    card.progress(undefined);
    busy(true);
    clearTimeout(late);
    late = setTimeout(found.wait, PATIENCE);
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

  /** Say what is wrong; graphs of another text would only mislead. */
  function refused(error) {
    if (shown !== options.text) found.clear("");
    found.fail(error.status === TOO_LARGE ? new Error(TOO_LONG) : error);
  }

  async function showAll(signal) {
    const started = performance.now();
    let first = true;
    let skipped = 0;
    for await (const part of parsed(options.text, options.reading, requestOptions(options), signal)) {
      clearTimeout(late);
      if (first) found.clear();
      first = false;
      shown = options.text;
      skipped += part.skipped.length;
      found.add(part.sentences, options);
      found.sumUp(performance.now() - started, skipped, options, part.done < part.all);
      card.offerTree(found.haveTrees());
      if (part.all > 1) card.progress(part.done / part.all);
    }
    if (first) found.clear(); // nothing to parse
  }

  async function remember() {
    const hash = await addressOf(options, usual);
    if (hash.length <= LONGEST) showRoute(hash);
    return hash.length <= LONGEST;
  }

  async function copyLink() {
    if (!await remember()) {
      tell("The text is too long for a link; save it as a file instead.", true);
      return;
    }
    await copyText(location.href).then(() => tell("Link copied"), (error) => tell(error.message, true));
  }

  async function open(params) {
    if (options.text !== null && ![...params.keys()].length) return;
    const before = options.text === null ? null : await addressOf(options, usual);
    const given = await readAddress(params).catch(() => {
      tell("The link is damaged: its text cannot be read.", true);
      return freshOptions();
    });
    Object.assign(options, given, { text: given.text ?? "" });
    try {
      await prepare();
      options.model ||= usual;
      card.show();
      if (await addressOf(options, usual) !== before) await parse();
    } catch (error) {
      card.show();
      found.fail(error);
    }
  }

  return { element, open };
}
