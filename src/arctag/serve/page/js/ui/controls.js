// The few kinds of control the page has.
import { h } from "./dom.js";

let made = 0;

/** An id that nothing else has. */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

/** A select with its label; options are [value, text] pairs. */
export function choice(label, options, value, onChange) {
  const id = freshId("choice");
  const select = h("select", { id, on: { change: () => onChange(select.value) } });
  setOptions(select, options, value);
  return { element: h("div", { class: "field" }, h("label", { for: id }, label), select), select };
}

/** Give a select other options. */
export function setOptions(select, options, value) {
  select.replaceChildren(...options.map(([name, text]) => h("option", { value: name }, text)));
  select.value = value;
}

/** A box to tick. */
export function tick(label, checked, onChange, title) {
  const box = h("input", { type: "checkbox", checked, on: { change: () => onChange(box.checked) } });
  return { element: h("label", { class: "tick", title }, box, h("span", {}, label)), box };
}

/** A few choices side by side, one of them taken. */
export function segments(label, options, value, onChange) {
  const name = freshId("segments");
  const inputs = options.map(([option, text]) => {
    const input = h("input", { type: "radio", name, value: option, checked: option === value });
    input.addEventListener("change", () => onChange(option));
    return [input, h("label", {}, input, h("span", {}, text))];
  });
  const element = h("fieldset", { class: "segments" }, h("legend", { class: "unseen" }, label), inputs.map(([, item]) => item));
  const set = (chosen) => inputs.forEach(([input]) => { input.checked = input.value === chosen; });
  return { element, set };
}

/** A button. */
export function button(text, onClick, attributes = {}) {
  return h("button", { type: "button", ...attributes, on: { click: onClick } }, text);
}

/** A button that opens a panel under it; Escape and a click elsewhere close it. */
export function menu(text, fillPanel, attributes = {}) {
  const panel = h("div", { class: "menu-panel" });
  const summary = h("summary", attributes, text);
  const details = h("details", { class: "menu" }, summary, panel);
  const close = (event) => {
    if (!details.contains(event.target)) details.open = false;
  };
  details.addEventListener("toggle", () => {
    if (details.open) {
      panel.replaceChildren(...fillPanel(() => { details.open = false; }));
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
