// @ts-check
// The few kinds of control the page has.
import { h } from "./dom.js";

/** @typedef {import("./dom.js").Attributes} Attributes */
/** @typedef {import("./dom.js").Child} Child */

let made = 0;

/** An id that nothing else has. @param {string} stem */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

/**
 * A select with its label; options are [value, text] pairs.
 *
 * @param {string} label @param {string[][]} options @param {string} value @param {(value: string) => void} onChange
 */
export function choice(label, options, value, onChange) {
  const id = freshId("choice");
  const select = h("select", { id, on: { change: () => onChange(select.value) } });
  setOptions(select, options, value);
  return { element: h("div", { class: "field" }, h("label", { for: id }, label), select), select };
}

/** Give a select other options. @param {HTMLSelectElement} select @param {string[][]} options @param {string} value */
export function setOptions(select, options, value) {
  const before = [...select.options].map((option) => `${option.value}\n${option.text}`).join("\n");
  if (before !== options.map(([name, text]) => `${name}\n${text}`).join("\n")) { // else an open list would close
    select.replaceChildren(...options.map(([name, text]) => h("option", { value: name }, text)));
  }
  select.value = value;
}

/** A box to tick. @param {string} label @param {boolean} checked @param {(checked: boolean) => void} onChange @param {string} [title] */
export function tick(label, checked, onChange, title) {
  const box = h("input", { type: "checkbox", checked, on: { change: () => onChange(box.checked) } });
  return { element: h("label", { class: "tick", title }, box, h("span", {}, label)), box };
}

/**
 * A few choices side by side, one of them taken.
 *
 * @param {string} label @param {string[][]} options @param {string} value @param {(value: string) => void} onChange
 */
export function segments(label, options, value, onChange) {
  const name = freshId("segments");
  const items = options.map(([option, text]) => {
    const input = h("input", { type: "radio", name, value: option, checked: option === value });
    input.addEventListener("change", () => onChange(option));
    return { input, item: h("label", {}, input, h("span", {}, text)) };
  });
  const element = h("fieldset", { class: "segments" }, h("legend", { class: "unseen" }, label), items.map(({ item }) => item));
  const set = (/** @type {string} */ chosen) => {
    for (const { input } of items) input.checked = input.value === chosen;
  };
  return { element, set };
}

/** A button. @param {Child} text @param {() => void} onClick @param {Attributes} attributes */
export function button(text, onClick, attributes = {}) {
  return h("button", { type: "button", ...attributes, on: { click: onClick } }, text);
}

/**
 * A button that opens a panel under it; Escape and a click elsewhere close it.
 *
 * @param {string} text @param {(close: () => void) => Child[]} fillPanel @param {Attributes} attributes
 */
export function menu(text, fillPanel, attributes = {}) {
  const panel = h("div", { class: "menu-panel" });
  const summary = h("summary", attributes, text);
  const details = h("details", { class: "menu" }, summary, panel);
  const close = (/** @type {Event} */ event) => {
    if (!details.contains(/** @type {Node} */ (event.target))) details.open = false;
  };
  details.addEventListener("toggle", () => {
    if (details.open) {
      panel.replaceChildren(...h("div", {}, fillPanel(() => { details.open = false; })).childNodes);
      keepInSight(panel);
      document.addEventListener("pointerdown", close);
    } else {
      document.removeEventListener("pointerdown", close);
    }
  });
  details.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !details.open) return;
    event.stopPropagation();
    details.open = false;
    summary.focus();
  });
  return details;
}

/** Move a panel to the left where it would stick out at the right. @param {HTMLElement} panel */
function keepInSight(panel) {
  panel.style.removeProperty("margin-left");
  const { left, right } = panel.getBoundingClientRect();
  const out = right - document.documentElement.clientWidth + 8;
  if (out > 0) panel.style.setProperty("margin-left", `${-Math.min(out, left - 8)}px`);
}
