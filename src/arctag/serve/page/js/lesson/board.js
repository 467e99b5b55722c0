// The picture one can change: drag from head to dependent, click an arc to take it, or do all of it with keys.
import { lightUp, targetOf } from "../graph/highlight.js";
import { drawPicture } from "../graph/picture.js";
import { reveal } from "../graph/viewer.js";
import { h, s } from "../ui/dom.js";

const DRAG = 6; // pixels before a press is a drag
const LARGEST = 1.45; // short sentences are drawn larger, to be seen from the last row
const SHARE = 0.42; // of the window's height, so that the steps below stay in sight

/**
 * The board. `actions` has: connect(head, dependent), remove(edge), select(target or null), undo().
 *
 * The word in hand is the head of the arc to come: dragged, or taken with Enter or `take`.
 */
export function board(actions) {
  let picture = null;
  let inHand = null; // a head that waits for its dependent
  let chosen = null; // {word} or {arc}
  let press = null;
  let thread = null; // the line that follows the pointer

  const box = h("div", {
    class: "scroller board", tabindex: 0, role: "application",
    "aria-label": "The graph. Arrow keys choose words and arcs; Enter takes a word as head, and again as dependent; Delete removes an arc.",
    on: { keydown: onKey, pointerdown: onDown, pointermove: onMove, pointerup: onUp, pointercancel: drop, pointerover: onOver, pointerleave: () => light(null) },
  });

  new ResizeObserver(fit).observe(box);

  /** Show another scene; what was chosen stays chosen if it is still there. */
  function draw(scene) {
    const at = chosen?.arc !== undefined && picture ? picture.scene.edges[chosen.arc] : null;
    const left = box.scrollLeft;
    picture = drawPicture(scene);
    box.replaceChildren(picture.svg);
    fit();
    box.scrollLeft = left;
    box.scrollTop = box.scrollHeight; // the words are at the bottom
    if (at) {
      const again = scene.edges.findIndex((edge) => edge.head === at.head && edge.dependent === at.dependent);
      chosen = again < 0 ? null : { arc: again };
    }
    if (chosen?.word > scene.words.length) chosen = null;
    if (inHand > scene.words.length) inHand = null;
    mark();
  }

  /** As large as the box allows. */
  function fit() {
    if (!picture) return;
    const { width, height } = picture.size;
    const scale = Math.max(1, Math.min(LARGEST, box.clientWidth / width, (SHARE * innerHeight) / height));
    picture.svg.setAttribute("width", Math.floor(width * scale));
    picture.svg.setAttribute("height", Math.ceil(height * scale));
    picture.scale = scale;
  }

  function mark() {
    picture.svg.querySelectorAll(".chosen, .in-hand").forEach((part) => part.classList.remove("chosen", "in-hand"));
    node(chosen)?.classList.add("chosen");
    if (inHand !== null) node({ word: inHand })?.classList.add("in-hand");
    box.classList.toggle("waiting", inHand !== null);
  }

  function node(target) {
    if (!target) return null;
    if (target.arc !== undefined) return picture.arcs[target.arc];
    return target.word === 0 ? picture.root : picture.words[target.word - 1];
  }

  function choose(target) {
    chosen = target;
    mark();
    actions.select(target, inHand);
  }

  function take(word) {
    inHand = word;
    choose(word === null ? chosen : { word });
  }

  function light(target) {
    if (picture) lightUp(picture, target);
  }

  function connect(head, dependent) {
    inHand = null;
    actions.connect(head, dependent); // which explains why if it cannot
    choose({ word: dependent });
  }

  function onOver(event) {
    if (!press && event.pointerType === "mouse") light(targetOf(event.target));
  }

  function onDown(event) {
    if (event.button !== 0 || !picture) return;
    const target = targetOf(event.target);
    press = { target, x: event.clientX, y: event.clientY, dragged: false };
    if (target?.word !== undefined) box.setPointerCapture(event.pointerId);
  }

  function onMove(event) {
    if (!press || press.target?.word === undefined) return;
    if (!press.dragged && Math.hypot(event.clientX - press.x, event.clientY - press.y) < DRAG) return;
    if (!press.dragged) {
      press.dragged = true;
      light(null);
      take(press.target.word);
      thread = s("path", { class: "thread" });
      picture.stage.append(thread);
    }
    thread.setAttribute("d", threadTo(event));
    const over = under(event);
    picture.words.forEach((word, i) => word.classList.toggle("aim", over?.word === i + 1));
  }

  /** From the word in hand up and over to the pointer. */
  function threadTo(event) {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.stage.getScreenCTM().inverse());
    const from = picture.wordX(press.target.word);
    const top = -Math.min(90, 24 + Math.abs(point.x - from) / 3);
    return `M${from} 0C${from} ${top} ${point.x} ${top} ${point.x} ${Math.min(point.y, 0)}`;
  }

  function under(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && box.contains(element) ? targetOf(element) : null;
  }

  function onUp(event) {
    if (!press) return;
    const { target, dragged } = press;
    drop();
    if (dragged) {
      const end = under(event);
      if (end?.word !== undefined) connect(target.word, end.word);
      else take(null);
    } else if (target?.word !== undefined) clickWord(target.word);
    else if (target) { inHand = null; choose(target); }
    else { inHand = null; choose(null); }
  }

  function drop() {
    press = null;
    thread?.remove();
    thread = null;
    picture?.words.forEach((word) => word.classList.remove("aim"));
  }

  function clickWord(word) {
    if (inHand === null) choose({ word });
    else connect(inHand, word);
  }

  function onKey(event) {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "z") actions.undo();
    else if (!picture || event.altKey || event.ctrlKey || event.metaKey || !handle(event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** Do what a key means; false if it means nothing here. */
  function handle(key) {
    const { scene } = picture;
    const word = chosen?.word ?? chosen?.from ?? null;
    const on = scene.rtl ? -1 : 1;
    if (key === "ArrowRight") return walkTo(word === null ? 1 : word + on);
    if (key === "ArrowLeft") return walkTo(word === null ? scene.words.length : word - on);
    if (key === "ArrowUp" || key === "ArrowDown") return walkArcs(word ?? 1, key === "ArrowUp" ? 1 : -1);
    if (key === "Enter" || key === " ") {
      if (chosen?.word === undefined) return false;
      if (inHand === null) take(chosen.word);
      else clickWord(chosen.word);
      return true;
    }
    if ((key === "Delete" || key === "Backspace") && chosen?.arc !== undefined) {
      const { from } = chosen;
      const edge = scene.edges[chosen.arc];
      chosen = null;
      actions.remove(edge);
      choose({ word: from ?? edge.dependent });
      return true;
    }
    if (key === "Escape" && (inHand !== null || chosen)) {
      inHand = null;
      choose(null);
      return true;
    }
    return false;
  }

  function walkTo(word) {
    const to = Math.max(0, Math.min(word, picture.scene.words.length));
    choose({ word: to });
    reveal(box, picture, to);
    return true;
  }

  function walkArcs(word, by) {
    const touching = picture.scene.edges.map((_, i) => i).filter((i) => {
      const edge = picture.scene.edges[i];
      return edge.kind !== "null" && (edge.head === word || edge.dependent === word);
    });
    if (!touching.length) return true;
    const at = chosen?.arc === undefined ? (by > 0 ? 0 : touching.length - 1) : touching.indexOf(chosen.arc) + by;
    choose(at >= 0 && at < touching.length ? { arc: touching[at], from: word } : { word });
    return true;
  }

  return { element: box, draw, take, picture: () => picture, chosen: () => chosen, inHand: () => inHand };
}
