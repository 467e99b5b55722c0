// @ts-check
// Out of the page: into a file or onto the clipboard.
import { h } from "../ui/dom.js";

/** Let the browser save a file. @param {Blob} blob @param {string} name */
export function download(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = h("a", { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

/** Copy text; a page that is not from this machine and has no https may only do so the old way. @param {string} text */
export async function copyText(text) {
  if (navigator.clipboard?.writeText) {
    await navigator.clipboard.writeText(text);
    return;
  }
  const field = h("textarea", { class: "unseen", "aria-hidden": "true" });
  field.value = text;
  document.body.append(field);
  field.select();
  const done = document.execCommand("copy");
  field.remove();
  if (!done) throw new Error("This browser does not let the page copy; download instead.");
}

/** Copy a picture. @param {Blob} blob */
export async function copyPicture(blob) {
  if (!navigator.clipboard?.write) throw new Error("This browser does not let the page copy pictures; download instead.");
  await navigator.clipboard.write([new ClipboardItem({ [blob.type]: blob })]);
}
