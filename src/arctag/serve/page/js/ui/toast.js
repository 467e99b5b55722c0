// Short news at the edge of the page: "Copied", "The text is too long for a link".
import { h } from "./dom.js";

const SECONDS = 3.5;

/** Show a line for a moment; it is read aloud too. */
export function tell(text, bad = false) {
  const line = h("p", { class: bad ? "toast bad" : "toast" }, text);
  document.getElementById("toasts").append(line);
  setTimeout(() => line.remove(), SECONDS * 1000 * (bad ? 2 : 1));
}
