// @ts-check
// A list of any length: only the rows in sight exist.
import { h } from "../ui/dom.js";

const ROW = 44; // pixels, as in the style sheet
const SPARE = 6; // rows beyond the edges

/**
 * The list; `rowOf(i)` gives the content of row i, `onChoose(i)` is called on a click.
 *
 * @param {string} label @param {(i: number) => import("../ui/dom.js").Child[]} rowOf @param {(i: number) => void} onChoose
 */
export function longList(label, rowOf, onChoose) {
  let length = 0;
  let current = -1;
  const inner = h("div", { class: "rows" });
  const element = h("nav", { class: "long-list", "aria-label": label, on: { scroll: () => fill() } }, inner);
  new ResizeObserver(() => fill()).observe(element);

  function fill() {
    const first = Math.max(0, Math.floor(element.scrollTop / ROW) - SPARE);
    const last = Math.min(length, Math.ceil((element.scrollTop + element.clientHeight) / ROW) + SPARE);
    inner.style.setProperty("height", `${length * ROW}px`);
    inner.replaceChildren(...Array.from({ length: Math.max(0, last - first) }, (_, at) => row(first + at)));
  }

  /** @param {number} i */
  function row(i) {
    const made = h("button", {
      type: "button", class: "row", "aria-current": i === current ? "true" : undefined, tabindex: i === current || (current < 0 && i === 0) ? 0 : -1,
      on: { click: () => onChoose(i) },
    }, rowOf(i));
    made.style.setProperty("top", `${i * ROW}px`);
    return made;
  }

  /** Show that many rows with one of them marked, and in sight. @param {number} newLength @param {number} newCurrent */
  function show(newLength, newCurrent) {
    const focused = element.contains(document.activeElement);
    const moved = newCurrent !== current;
    [length, current] = [newLength, newCurrent];
    inner.style.setProperty("height", `${length * ROW}px`);
    if (moved && current >= 0) {
      const top = current * ROW;
      if (top < element.scrollTop) element.scrollTop = top;
      else if (top + ROW > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW - element.clientHeight;
    }
    fill();
    if (focused) /** @type {HTMLElement | null} */ (inner.querySelector("[aria-current]"))?.focus();
  }

  return { element, show };
}
