// Short news at the edge of the page: "Copied", "The text is too long for a link".
import { h } from "./dom.js";

const SECONDS = 3.5;
const PACE = 18; // characters read in a second

/** Show a line for a moment, a long one for longer; it is read aloud too. */
export function tell(text, bad = false) {
  const line = h("p", { class: bad ? "toast bad" : "toast" }, text);
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), 1000 * Math.max(SECONDS * (bad ? 2 : 1), text.length / PACE));
}
