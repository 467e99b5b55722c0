// @ts-check
// Short notifications at the edge of the page: "Copied", "The text is too long for a link".
import { h } from "./dom.js";

const SECONDS = 3.5;
const READING_SPEED = 18; // characters a second
const MOST = 3; // at a time

/** What is shown, the oldest first. @type {Map<string, { line: HTMLElement, timer: ReturnType<typeof setTimeout> }>} */
const shown = new Map();

/** @param {string} text */
function remove(text) {
  const toast = shown.get(text);
  if (!toast) return;
  clearTimeout(toast.timer);
  toast.line.remove();
  shown.delete(text);
}

/** Remove all of them: they belong to another view. */
export function clearToasts() {
  for (const text of [...shown.keys()]) remove(text);
}

/** Show a line for a few seconds, a long one for longer; screen readers read it, too. The same line is shown once. @param {string} text */
export function notify(text, bad = false) {
  remove(text);
  while (shown.size >= MOST) remove([...shown.keys()][0]);
  const close = h("button", { type: "button", class: "toast-close", "aria-label": "Close", on: { click: () => remove(text) } }, "×");
  const line = h("p", { class: bad ? "toast bad" : "toast" }, h("span", {}, text), close);
  document.getElementById("toasts")?.append(line);
  shown.set(text, { line, timer: setTimeout(() => remove(text), 1000 * Math.max(SECONDS * (bad ? 2 : 1), text.length / READING_SPEED)) });
}
