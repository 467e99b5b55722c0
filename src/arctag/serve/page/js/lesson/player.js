// Step through the decoding: buttons, a slider, ← and →, and play.
import { button } from "../ui/controls.js";
import { h, refill, s } from "../ui/dom.js";
import { prose } from "./prose.js";
import { showStacks, tallest } from "./stacks.js";

const PACE = 1600; // milliseconds
const CHIP = 33; // pixels, with the gap
const TALLEST = 8; // chips; a fuller stack scrolls

const DONE = "The labels alone give the graph back. Press play, or step with ← and →, to see how each is read.";

const SHAPES = {
  first: "M5 4v12M16 4l-8 6 8 6z", back: "M14 4l-8 6 8 6z", play: "M6 3l11 7-11 7z", pause: "M6 4h3v12H6zM12 4h3v12h-3z",
  next: "M6 4l8 6-8 6z", last: "M15 4v12M4 4l8 6-8 6z",
};

function icon(name) {
  return s("svg", { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true", class: "shape" }, s("path", { d: SHAPES[name] }));
}

/**
 * The player. `onMove` is called with the position: how many steps have been shown, and one more when all is done.
 */
export function player(onMove) {
  let steps = [];
  let words = [];
  let at = 0;
  let timer = 0;
  let held = false;

  const control = (name, label, go) => button(icon(name), go, { class: "icon", "aria-label": label, title: label });
  const first = control("first", "To the start", () => move(0));
  const back = control("back", "One step back (←)", () => move(at - 1));
  const play = control("play", "Play", toggle);
  const next = control("next", "One step on (→)", () => move(at + 1));
  const last = control("last", "To the end", () => move(end()));
  const slider = h("input", { type: "range", min: 0, max: 0, value: 0, "aria-label": "Step", on: { input: () => move(Number(slider.value)) } });
  const where = h("p", { class: "where" });
  const title = h("h2", {});
  const text = h("p", { class: "step-text" });
  const repair = h("p", { class: "repair" });
  const description = h("div", { class: "step-panel", "aria-live": "polite" }, title, text, repair);
  const stacks = h("div", { class: "stacks", tabindex: 0, role: "group", "aria-label": "Stacks" });
  play.classList.add("main");

  const element = h("section", { class: "card player", "aria-label": "Decoding, step by step" },
    h("div", { class: "transport" }, h("div", { class: "buttons" }, first, back, play, next, last), slider, where),
    h("div", { class: "scene" }, description, stacks));

  const end = () => (steps.length ? steps.length + 1 : 0);

  function toggle() {
    if (timer) return stop();
    if (at === end()) move(0);
    timer = setInterval(() => (at < end() ? move(at + 1, true) : stop()), PACE);
    refill(play, icon("pause"));
    play.setAttribute("aria-label", "Pause");
    return undefined;
  }

  function stop() {
    clearInterval(timer);
    timer = 0;
    refill(play, icon("play"));
    play.setAttribute("aria-label", "Play");
  }

  function move(position, playing = false) {
    if (held) return;
    if (!playing && timer) stop();
    at = Math.max(0, Math.min(position, end()));
    show();
    onMove(at);
  }

  function show() {
    slider.max = end();
    slider.value = at;
    where.textContent = at === end() ? "done" : `${at} / ${steps.length}`;
    slider.setAttribute("aria-valuetext", at === end() ? "done" : `step ${at} of ${steps.length}`);
    first.disabled = back.disabled = at === 0;
    next.disabled = last.disabled = at === end();
    play.disabled = !steps.length;
    slider.disabled = false;
    const step = steps[at - 1];
    refill(title, step ? heading(step) : at ? "From labels to arcs" : "Before the first step");
    refill(text, step ? prose(step.text, words) : at ? DONE : "Only the labels are known.");
    repair.hidden = !step?.repair;
    repair.textContent = step?.why ? `Repair: ${step.why}` : "Repair: this part makes no sense and is left out.";
    if (step) showStacks(stacks, steps[at - 2]?.stacks ?? {}, step.stacks, words);
    else refill(stacks, h("p", { class: "hint" }, "Stacks appear here while the labels are read."));
  }

  function heading(step) {
    if (!step.word) return step.pass || "Now";
    const part = step.part || step.label;
    return [`Word ${step.word} `, h("i", { class: "mention", dir: "auto" }, words[step.word - 1]), " ", h("code", {}, part)];
  }

  /** No steps for now: those here are of another graph. */
  function hold() {
    stop();
    [first, back, play, next, last, slider].forEach((control) => { control.disabled = true; });
    held = true;
  }

  /** New steps; at the end unless a position is given. */
  function load(newSteps, newWords, position = Infinity) {
    stop();
    held = false;
    steps = newSteps;
    words = newWords;
    at = Math.max(0, Math.min(position, end()));
    stacks.style.setProperty("min-height", `${Math.min(tallest(steps), TALLEST) * CHIP + 70}px`);
    show();
  }

  /** Instead of steps, why there are none. */
  function refuse(reason) {
    load([], words);
    refill(title, "No steps");
    refill(text, reason);
    refill(stacks);
  }

  return { element, load, refuse, stop, hold, step: (by) => move(at + by), position: () => at, atEnd: () => at === end(), current: () => steps[at - 1] };
}
