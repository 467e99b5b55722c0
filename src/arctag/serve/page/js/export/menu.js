// The menu that saves a sentence, or all of them, in one of the formats.
import { button, menu } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { FORMATS } from "./formats.js";
import { copyPicture, copyText, download } from "./save.js";

/** "SDP copied: gold, as in a.conllu; lost: 1 basic trees" */
function summary(format, done, whose, lost = {}) {
  const losses = Object.entries(lost).map(([kind, number]) => `${number} ${kind}`).join("; ");
  return `${format.name} ${done}${whose && !format.picture ? `: ${whose}` : ""}${losses ? `; lost: ${losses}` : ""}`;
}

/** Make the content and hand it to `out`, then show a notification. */
async function send(format, source, done, out) {
  try {
    const { sentences, graph, pictures, stem, whose } = source();
    const { content, lost } = await (format.picture ? format.picture(pictures()) : format.make(sentences, graph));
    await out(content, `${stem}.${format.ending}`);
    notify(summary(format, done, whose, lost));
  } catch (error) {
    notify(error.message, true);
  }
}

const copy = (content) => (content instanceof Blob ? copyPicture(content) : copyText(content));

function row(format, source, close) {
  const save = (content, name) =>
    download(content instanceof Blob ? content : new Blob([content], { type: `${format.type};charset=utf-8` }), name);
  return h("div", { class: "menu-row" },
    h("span", {}, format.name),
    button("Copy", () => { close(); send(format, source, "copied", copy); }, { class: "quiet", "aria-label": `Copy ${format.name}` }),
    button("Download", () => { close(); send(format, source, "downloaded", save); }, { class: "quiet", "aria-label": `Download ${format.name}` }));
}

/**
 * The menu; `source` gives the sentences, the name of the `graph` that is drawn, a function for the pictures, and the stem of
 * the file's name when something is chosen, and `whose` where there is more than one side. `note` stands above the choices.
 */
export function saveMenu(label, source, attributes, note = "") {
  return menu(label, (close) => [
    ...(note ? [h("p", { class: "menu-note" }, note)] : []), ...FORMATS.map((format) => row(format, source, close)),
  ], attributes);
}
