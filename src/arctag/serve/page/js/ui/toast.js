// Short notifications at the edge of the page: "Copied", "The text is too long for a link".
import { h } from "./dom.js";

const SECONDS = 3.5;
const READING_SPEED = 18; // characters a second

/** Show a line for a few seconds, a long one for longer; screen readers read it, too. */
export function notify(text, bad = false) {
  const line = h("p", { class: bad ? "toast bad" : "toast" }, text);
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), 1000 * Math.max(SECONDS * (bad ? 2 : 1), text.length / READING_SPEED));
}
