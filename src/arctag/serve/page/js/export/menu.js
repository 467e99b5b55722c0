// @ts-check
// The menu that saves a sentence, or all of them, in one of the formats.
import { messageOf } from "../api.js";
import { button, menu } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { notify } from "../ui/toast.js";
import { FORMATS } from "./formats.js";
import { copyPicture, copyText, download } from "./save.js";

/** @typedef {import("./formats.js").Format} Format */
/** @typedef {() => import("../types").Source} GetSource */

/** "SDP copied: gold, as in a.conllu; lost: 1 basic trees" @param {Format} format @param {string} done @param {string} [whose] @param {Record<string, number>} lost */
function summary(format, done, whose, lost = {}) {
  const losses = Object.entries(lost).map(([kind, number]) => `${number} ${kind}`).join("; ");
  return `${format.name} ${done}${whose && !format.picture ? `: ${whose}` : ""}${losses ? `; lost: ${losses}` : ""}`;
}

/** @param {Format} format @param {import("../types").Source} source @returns {Promise<import("./formats.js").Made>} */
async function made(format, { sentences, graph, pictures }) {
  if (format.picture) return format.picture(pictures());
  return format.make ? format.make(sentences, graph) : { content: "" };
}

/**
 * Make the content and hand it to `out`, then show a notification.
 *
 * @param {Format} format @param {GetSource} source @param {string} done @param {(content: string | Blob, name: string) => void | Promise<void>} out
 */
async function send(format, source, done, out) {
  try {
    const from = source();
    const { content, lost } = await made(format, from);
    await out(content, `${from.stem}.${format.ending}`);
    notify(summary(format, done, from.whose, lost));
  } catch (error) {
    notify(messageOf(error), true);
  }
}

const copy = (/** @type {string | Blob} */ content) => (content instanceof Blob ? copyPicture(content) : copyText(content));

/** @param {Format} format @param {GetSource} source @param {() => void} close */
function row(format, source, close) {
  const save = (/** @type {string | Blob} */ content, /** @type {string} */ name) =>
    download(content instanceof Blob ? content : new Blob([content], { type: `${format.type};charset=utf-8` }), name);
  return h("div", { class: "menu-row" },
    h("span", {}, format.name),
    button("Copy", () => { close(); send(format, source, "copied", copy); }, { class: "quiet", "aria-label": `Copy ${format.name}` }),
    button("Download", () => { close(); send(format, source, "downloaded", save); }, { class: "quiet", "aria-label": `Download ${format.name}` }));
}

/**
 * The menu; `source` gives what is saved when something is chosen, `note` stands above the choices.
 *
 * @param {string} label @param {GetSource} source @param {import("../ui/dom.js").Attributes} attributes
 */
export function saveMenu(label, source, attributes, note = "") {
  return menu(label, (close) => [
    ...(note ? [h("p", { class: "menu-note" }, note)] : []), ...FORMATS.map((format) => row(format, source, close)),
  ], attributes);
}
