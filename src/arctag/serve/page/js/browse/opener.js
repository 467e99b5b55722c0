// @ts-check
// Ways to open a file: a button, or dropping it anywhere on the view.
import { INFO } from "../info.js";
import { button } from "../ui/controls.js";
import { h } from "../ui/dom.js";

const SUFFIXES = [...INFO.formats.flatMap(({ suffixes }) => suffixes), ".gz", ".txt"].join(",");

/** A button that lets one choose a file. @param {string} text @param {(file: File) => void} onFile @param {import("../ui/dom.js").Attributes} attributes */
export function fileButton(text, onFile, attributes = {}) {
  const input = h("input", { type: "file", class: "unseen", tabindex: -1, "aria-hidden": "true", accept: SUFFIXES });
  input.addEventListener("change", () => {
    if (input.files?.[0]) onFile(input.files[0]);
    input.value = "";
  });
  return h("span", { class: "file-button" }, input, button(text, () => input.click(), attributes));
}

/** Let files be dropped on an element. @param {HTMLElement} element @param {(files: File[]) => void} onFiles */
export function dropZone(element, onFiles) {
  const hasFiles = (/** @type {DragEvent} */ event) => [...(event.dataTransfer?.types ?? [])].includes("Files");
  let depth = 0; // entering a child leaves its parent
  const over = (/** @type {number} */ change) => {
    depth = Math.max(0, depth + change);
    element.classList.toggle("drop-here", depth > 0);
  };
  element.addEventListener("dragenter", (event) => { if (hasFiles(event)) { event.preventDefault(); over(1); } });
  element.addEventListener("dragleave", (event) => { if (hasFiles(event)) over(-1); });
  element.addEventListener("dragover", (event) => { if (hasFiles(event)) event.preventDefault(); });
  element.addEventListener("drop", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    depth = 0;
    over(0);
    onFiles([...(event.dataTransfer?.files ?? [])]);
  });
}
