// @ts-check
// Elements are made here and nowhere else, so that no text of a user is ever read as markup.
const SVG = "http://www.w3.org/2000/svg";

/** @typedef {Node | string | number | null | undefined | false | Child[]} Child */
/** @typedef {Record<string, unknown> & { on?: Record<string, (event: any) => void> }} Attributes */

/**
 * @template {Element} E
 * @param {E} element @param {Attributes} attributes @param {Child[]} children
 */
function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "on") {
      for (const [type, listener] of Object.entries(/** @type {Record<string, EventListener>} */ (value))) element.addEventListener(type, listener);
    } else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...present(children));
  return element;
}

/** Children may come in lists, and may be missing. @param {Child[]} children @returns {(Node | string)[]} */
function present(children) {
  return /** @type {any[]} */ (children).flat(Infinity)
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}

/**
 * An HTML element; strings among the children become text.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Attributes} attributes @param {Child[]} children
 */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. @param {string} tag @param {Attributes} attributes @param {Child[]} children @returns {SVGElement} */
export function s(tag, attributes = {}, ...children) {
  return fill(/** @type {SVGElement} */ (document.createElementNS(SVG, tag)), attributes, children);
}

/** Replace what is in an element. @param {Element} element @param {Child[]} children */
export function refill(element, ...children) {
  element.replaceChildren(...present(children));
}

/** A number as people write it: 2,002. @param {number} number */
export function digits(number) {
  return number.toLocaleString("en");
}

/** "1 word", "2 words". @param {number} number @param {string} noun */
export function count(number, noun, plural = `${noun}s`) {
  return `${digits(number)} ${number === 1 ? noun : plural}`;
}

/** Whether keys belong to a field in which one types. @param {EventTarget | null} target */
export function isTyping(target) {
  return target instanceof Element && target.closest("input:not([type=checkbox]):not([type=radio]), textarea, select") !== null;
}
