// @ts-check
// The picture one can change: drag from head to dependent, click an arc to take it, or do all of it with keys.
import { lightUp, targetOf } from "../graph/highlight.js";
import { drawPicture } from "../graph/picture.js";
import { reveal } from "../graph/viewer.js";
import { h, s } from "../ui/dom.js";

/** @typedef {import("./state.js").State} State */
/** @typedef {import("./state.js").Chosen} Chosen */
/** @typedef {import("./edges.js").LessonEdge} LessonEdge */
/** @typedef {import("../types").Target} Target */

const DRAG = 6; // pixels before a press is a drag
const LARGEST = 1.45; // short sentences are drawn larger, to be seen from the last row
const SHARE = 0.42; // of the window's height, so that the steps below stay in sight

/**
 * The board. The word in hand is the head of the arc to come: dragged, or taken with Enter. `actions` has: connect(head,
 * dependent, byHand), remove(edge), choose(chosen or null), take(word or null), undo().
 *
 * @param {() => State} state
 * @param {{ connect: (head: number, dependent: number, byHand: boolean) => void, remove: (edge: LessonEdge) => void, choose: (chosen: Chosen | null) => void, take: (word: number | null) => void, undo: () => void }} actions
 */
export function board(state, actions) {
  /** @type {import("../types").Picture<LessonEdge> | null} */
  let picture = null;
  /** The pointer is down: on what, where, and whether it has moved. @type {{ target: Target | null, x: number, y: number, dragged: boolean } | null} */
  let press = null;
  /** The line that follows the pointer. @type {SVGElement | null} */
  let thread = null;

  const box = h("div", {
    class: "scroller board", tabindex: 0, role: "application",
    "aria-label": "The graph. Arrow keys choose words and arcs; Enter takes a word as head, and again as dependent; Delete removes an arc.",
    on: { keydown: onKey, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: drop, pointerover: onOver, pointerleave: () => light(null) },
  });
  new ResizeObserver(fit).observe(box);

  /** Show another scene. @param {import("../types").Scene<LessonEdge>} scene */
  function draw(scene) {
    const first = picture === null || picture.scene.rtl !== scene.rtl;
    const left = box.scrollLeft;
    picture = drawPicture(scene);
    box.replaceChildren(picture.svg);
    fit();
    box.scrollLeft = first && scene.rtl ? box.scrollWidth : left; // where the sentence begins
    box.scrollTop = box.scrollHeight; // the words are at the bottom
    mark();
  }

  /** As large as the box allows. */
  function fit() {
    if (!picture) return;
    const { width, height } = picture.size;
    const scale = Math.max(1, Math.min(LARGEST, box.clientWidth / width, (SHARE * innerHeight) / height));
    picture.svg.setAttribute("width", String(Math.floor(width * scale)));
    picture.svg.setAttribute("height", String(Math.ceil(height * scale)));
    picture.scale = scale;
  }

  /** Show what is chosen and in hand. */
  function mark() {
    if (!picture) return;
    const { chosen, inHand } = state();
    for (const part of picture.svg.querySelectorAll(".chosen, .in-hand")) part.classList.remove("chosen", "in-hand");
    node(chosen)?.classList.add("chosen");
    if (inHand !== null) node({ word: inHand })?.classList.add("in-hand");
    box.classList.toggle("waiting", inHand !== null);
  }

  /** The number of an arc that is chosen; -1 if none is. @param {Chosen | null} chosen */
  function arcOf(chosen) {
    if (!chosen || "word" in chosen) return -1;
    return picture?.scene.edges.findIndex((edge) => edge.head === chosen.head && edge.dependent === chosen.dependent) ?? -1;
  }

  /** @param {Chosen | null} chosen */
  function node(chosen) {
    if (!chosen || !picture) return null;
    if ("word" in chosen) return chosen.word === 0 ? picture.root : picture.words[chosen.word - 1];
    return picture.arcs[arcOf(chosen)]?.[0];
  }

  /** @param {Target | null} target @returns {Chosen | null} */
  function chosenOf(target) {
    if (target?.word !== undefined) return { word: target.word };
    const edge = target?.arc === undefined ? undefined : picture?.scene.edges[target.arc];
    return edge ? { head: edge.head, dependent: edge.dependent } : null;
  }

  /** @param {Target | null} target */
  function light(target) {
    if (picture) lightUp(picture, target);
  }

  /** @param {PointerEvent} event */
  function onOver(event) {
    if (!press && event.pointerType === "mouse") light(targetOf(/** @type {Element} */ (event.target)));
  }

  /** @param {PointerEvent} event */
  function onDown(event) {
    if (event.button !== 0 || !picture) return;
    const target = targetOf(/** @type {Element} */ (event.target));
    press = { target, x: event.clientX, y: event.clientY, dragged: false };
    if (target?.word !== undefined) box.setPointerCapture(event.pointerId);
  }

  /** @param {PointerEvent} event */
  function onMove(event) {
    if (!press || !picture || press.target?.word === undefined) return;
    if (!press.dragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
    if (!press.dragged) {
      press.dragged = true;
      light(null);
      actions.take(press.target.word);
      thread = s("path", { class: "thread" });
      picture.stage.append(thread);
    }
    thread?.setAttribute("d", threadTo(event, press.target.word));
    const over = under(event);
    picture.words.forEach((word, i) => { word.classList.toggle("aim", over?.word === i + 1); });
  }

  /** From the word in hand up and over to the pointer. @param {PointerEvent} event @param {number} word */
  function threadTo(event, word) {
    if (!picture) return "";
    const svg = /** @type {SVGGraphicsElement} */ (picture.svg);
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(/** @type {DOMMatrix} */ (svg.getScreenCTM()).inverse());
    const stage = /** @type {DOMMatrix} */ (/** @type {SVGGraphicsElement} */ (picture.stage).getCTM()).inverse().multiply(/** @type {DOMMatrix} */ (svg.getCTM()));
    const to = point.matrixTransform(stage);
    const place = picture.place(word);
    const from = new DOMPoint(place.x, place.y).matrixTransform(stage);
    const top = from.y - Math.min(90, 24 + Math.abs(to.x - from.x) / 3);
    return `M${from.x} ${from.y}C${from.x} ${top} ${to.x} ${top} ${to.x} ${Math.min(to.y, from.y)}`;
  }

  /** @param {PointerEvent} event */
  function under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && box.contains(element) ? targetOf(element) : null;
  }

  /** @param {PointerEvent} event */
  function onUp(event) {
    if (!press) return;
    const { target, dragged } = press;
    drop();
    if (dragged) {
      const end = under(event);
      if (target?.word !== undefined && end?.word !== undefined) actions.connect(target.word, end.word, true);
      else actions.take(null);
    } else if (target?.word !== undefined) clickWord(target.word, true);
    else {
      actions.take(null);
      actions.choose(chosenOf(target));
    }
  }

  function drop() {
    press = null;
    thread?.remove();
    thread = null;
    for (const word of picture?.words ?? []) word.classList.remove("aim");
  }

  /** @param {number} word @param {boolean} byHand */
  function clickWord(word, byHand) {
    const { inHand } = state();
    if (inHand === null) actions.choose({ word });
    else actions.connect(inHand, word, byHand);
  }

  /** @param {KeyboardEvent} event */
  function onKey(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") actions.undo();
    else if (!picture || event.altKey || event.ctrlKey || event.metaKey || !handle(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Do what a key means; false if it means nothing here. @param {string} key */
  function handle(key) {
    if (!picture) return false;
    const { scene } = picture;
    const { chosen, inHand } = state();
    const word = chosen && "word" in chosen ? chosen.word : chosen?.from ?? null;
    const on = scene.rtl ? -1 : 1;
    if (key === "ArrowRight") return walkTo(word === null ? 1 : word + on);
    if (key === "ArrowLeft") return walkTo(word === null ? scene.words.length : word - on);
    if (key === "ArrowUp" || key === "ArrowDown") return walkArcs(word ?? 1, key === "ArrowUp" ? 1 : -1);
    if (key === "Enter" || key === " ") {
      if (!chosen || !("word" in chosen)) return false;
      if (inHand === null) actions.take(chosen.word);
      else clickWord(chosen.word, false);
      return true;
    }
    if ((key === "Delete" || key === "Backspace") && arcOf(chosen) >= 0) {
      actions.remove(scene.edges[arcOf(chosen)]);
      return true;
    }
    if (key === "Escape" && (inHand !== null || chosen)) {
      actions.take(null);
      actions.choose(null);
      return true;
    }
    return false;
  }

  /** @param {number} word */
  function walkTo(word) {
    if (!picture) return false;
    const to = Math.max(0, Math.min(word, picture.scene.words.length));
    actions.choose({ word: to });
    reveal(box, picture, to);
    return true;
  }

  /** @param {number} word @param {number} by */
  function walkArcs(word, by) {
    const touching = (picture?.scene.edges ?? []).map((_, i) => i).filter((i) => {
      const edge = /** @type {LessonEdge} */ (picture?.scene.edges[i]);
      return edge.kind !== "null" && (edge.head === word || edge.dependent === word);
    });
    if (!touching.length) return true;
    const current = arcOf(state().chosen);
    const at = current < 0 ? (by > 0 ? 0 : touching.length - 1) : touching.indexOf(current) + by;
    const edge = picture?.scene.edges[touching[at]];
    actions.choose(edge ? { head: edge.head, dependent: edge.dependent, from: word } : { word });
    return true;
  }

  return { element: box, draw, mark, picture: () => picture };
}
