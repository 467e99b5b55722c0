// @ts-check
// Step through the decoding: buttons, a slider, ← and →, and play.
import { button } from "../ui/controls.js";
import { h, refill, s } from "../ui/dom.js";
import { prose } from "./prose.js";
import { showStacks, tallest } from "./stacks.js";
import { lastPosition } from "./state.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./edges.js").Step} Step */

const PACE = 1600; // milliseconds
const CHIP = 33; // pixels, with the gap
const TALLEST = 8; // chips; a fuller stack scrolls

const HOW = "Press play, or step with ← and →, to see how each is read.";

const SHAPES = {
  first: "M5 4v12M16 4l-8 6 8 6z", back: "M14 4l-8 6 8 6z", play: "M6 3l11 7-11 7z", pause: "M6 4h3v12H6zM12 4h3v12h-3z",
  next: "M6 4l8 6-8 6z", last: "M15 4v12M4 4l8 6-8 6z",
};

/** @param {keyof typeof SHAPES} name */
function icon(name) {
  return s("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true", class: "shape" }, s("path", { d: SHAPES[name] }));
}

/** What is true when all steps are done: whether the labels alone give the graph back. @param {import("./state.js").Answer} answer */
function outcome({ edges }) {
  const lost = edges.filter((edge) => edge.kind === "lost").length;
  const added = edges.filter((edge) => edge.kind === "added").length;
  if (!edges.length) return "There are no arcs to give back.";
  if (!lost && !added) return `The labels alone give the graph back. ${HOW}`;
  const parts = [lost ? `${lost} of its arcs ${lost === 1 ? "is" : "are"} lost` : "", added ? `${added} that it does not have ${added === 1 ? "is" : "are"} added` : ""];
  return `The labels do not give the whole graph back: ${parts.filter(Boolean).join(", and ")}. ${HOW}`;
}

/**
 * The player; `moveTo` shows another position.
 *
 * @param {{ state: State, watch: (keys: (keyof State)[], react: (state: State, before: State) => void) => void }} store
 * @param {(position: number) => void} moveTo
 */
export function player(store, moveTo) {
  let timer = 0;

  const control = (/** @type {keyof typeof SHAPES} */ name, /** @type {string} */ label, /** @type {() => void} */ go) => button(icon(name), go, { class: "icon", "aria-label": label, title: label });
  const first = control("first", "To the start", () => go(0));
  const back = control("back", "One step back (←)", () => step(-1));
  const play = control("play", "Play", toggle);
  const next = control("next", "One step on (→)", () => step(1));
  const last = control("last", "To the end", () => go(Infinity));
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", on: { input: () => go(Number(slider.value)) } });
  const where = h("p", { class: "where" });
  const title = h("h2", {}, "Decoding");
  const text = h("p", { class: "step-text" });
  const repair = h("p", { class: "repair", hidden: true });
  const description = h("div", { class: "step-panel", "aria-live": "polite" }, title, text, repair);
  const stacks = h("div", { class: "stacks", tabindex: 0, role: "group", "aria-label": "Stacks" });
  play.classList.add("main");

  const element = h("section", { class: "card player", "aria-label": "Decoding, step by step" },
    h("div", { class: "transport" }, h("div", { class: "buttons" }, first, back, play, next, last), slider, where),
    h("div", { class: "scene" }, description, stacks));

  store.watch(["answer"], ({ answer }) => {
    stop();
    stacks.style.setProperty("min-height", `${Math.min(tallest(answer?.traced.steps ?? []), TALLEST) * CHIP + 70}px`);
  });
  store.watch(["answer", "position", "busy"], show);

  /** Go to a position; steps of another graph, while it is on its way, are not to be shown. @param {number} position */
  function go(position) {
    stop();
    if (!store.state.busy) moveTo(position);
  }

  /** @param {number} by */
  function step(by) {
    go(store.state.position + by);
  }

  function toggle() {
    if (timer) {
      stop();
      return;
    }
    if (store.state.position === lastPosition(store.state)) moveTo(0);
    timer = window.setInterval(() => {
      if (store.state.position < lastPosition(store.state)) moveTo(store.state.position + 1);
      else stop();
    }, PACE);
    refill(play, icon("pause"));
    play.setAttribute("aria-label", "Pause");
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    refill(play, icon("play"));
    play.setAttribute("aria-label", "Play");
  }

  /** @param {State} state */
  function show(state) {
    const { answer, position, busy } = state;
    if (!answer) return;
    const end = lastPosition(state);
    slider.max = String(end);
    slider.value = String(position);
    slider.disabled = busy;
    first.disabled = back.disabled = busy || position === 0;
    next.disabled = last.disabled = busy || position === end;
    play.disabled = busy || end === 0;
    const { refusal, steps } = answer.traced;
    if (refusal) {
      where.textContent = "";
      refill(title, "No steps");
      refill(text, refusal);
      refill(stacks);
      repair.hidden = true;
    } else showStep(answer, steps, position, end);
  }

  /** @param {import("./state.js").Answer} answer @param {Step[]} steps @param {number} position @param {number} end */
  function showStep(answer, steps, position, end) {
    const { words } = answer.graph;
    const now = steps[position - 1];
    where.textContent = position === end ? "done" : `${position} / ${steps.length}`;
    slider.setAttribute("aria-valuetext", position === end ? "done" : `step ${position} of ${steps.length}`);
    refill(title, now ? heading(now, words) : position ? "From labels to arcs" : "Before the first step");
    refill(text, now ? prose(now.text, words) : position ? outcome(answer) : "Only the labels are known.");
    repair.hidden = !now?.repair;
    repair.textContent = now?.why ? `Repair: ${now.why}` : "Repair: this part makes no sense and is left out.";
    if (now) showStacks(stacks, steps[position - 2]?.stacks ?? {}, now.stacks, words);
    else refill(stacks, h("p", { class: "hint" }, "Stacks appear here while the labels are read."));
  }

  /** @param {Step} now @param {string[]} words */
  function heading(now, words) {
    if (!now.word) return now.pass || "Now";
    const part = now.part || now.label;
    return [`Word ${now.word} `, h("i", { class: "mention", dir: "auto" }, words[now.word - 1]), " ", h("code", {}, part)];
  }

  return { element, stop, step };
}
