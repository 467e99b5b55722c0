// The menu that saves a sentence, or all of them, in one of the formats.
import { button, menu } from "../ui/controls.js";
import { h } from "../ui/dom.js";
import { tell } from "../ui/toast.js";
import { FORMATS } from "./formats.js";
import { copyPicture, copyText, download } from "./save.js";

async function guarded(work, done) {
  try {
    await work();
    if (done) tell(done);
  } catch (error) {
    tell(error.message, true);
  }
}

function row(format, source, close) {
  const content = () => {
    const { sentences, pictures } = source();
    return format.make(sentences, pictures);
  };
  const copy = async () => {
    const made = await content();
    await (made instanceof Blob ? copyPicture(made) : copyText(made));
  };
  const save = async () => {
    const made = await content();
    download(made instanceof Blob ? made : new Blob([made], { type: `${format.type};charset=utf-8` }), `${source().stem}.${format.ending}`);
  };
  return h("div", { class: "menu-row" },
    h("span", {}, format.name),
    button("Copy", () => { close(); guarded(copy, `${format.name} copied`); }, { class: "quiet", "aria-label": `Copy ${format.name}` }),
    button("Download", () => { close(); guarded(save); }, { class: "quiet", "aria-label": `Download ${format.name}` }));
}

/** The menu; `source` gives the sentences, their pictures and the stem of the file's name when something is chosen. */
export function saveMenu(label, source, attributes) {
  return menu(label, (close) => FORMATS.map((format) => row(format, source, close)), attributes);
}
