// @ts-check
// Stacks, each drawn with its top above.
import { planeClass } from "../graph/scene.js";
import { h, refill } from "../ui/dom.js";

/** @param {number} word @param {string[]} words @param {string} look */
function chip(word, words, look) {
  const name = word === 0 ? "root" : words[word - 1] ?? "";
  return h("li", { class: `chip ${look}` }, h("b", {}, String(word)), h("span", { dir: "auto" }, name));
}

/** How to get from one stack to the next, bottom first: [word, "" | "taken" | "pushed"], keeping as much as possible. @param {number[]} before @param {number[]} after */
export function changes(before, after) {
  const longest = Array.from({ length: before.length + 1 }, () => new Array(after.length + 1).fill(0));
  for (let i = before.length - 1; i >= 0; i -= 1) {
    for (let j = after.length - 1; j >= 0; j -= 1) {
      longest[i][j] = before[i] === after[j] ? longest[i + 1][j + 1] + 1 : Math.max(longest[i + 1][j], longest[i][j + 1]);
    }
  }
  /** @type {[number, string][]} */
  const steps = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) {
      steps.push([before[i], ""]);
      [i, j] = [i + 1, j + 1];
    } else if (j < after.length && (i === before.length || longest[i][j + 1] > longest[i + 1][j])) {
      steps.push([after[j], "pushed"]);
      j += 1;
    } else {
      steps.push([before[i], "taken"]);
      i += 1;
    }
  }
  return steps;
}

/** @param {string} name @param {number[]} before @param {number[]} after @param {string[]} words */
function tower(name, before, after, words) {
  const items = changes(before, after).map(([word, look]) => chip(word, words, look)).reverse();
  return h("div", { class: "tower" },
    h("ol", { "aria-label": `Stack ${name}, top first` }, items.length ? items : h("li", { class: "void" }, "empty")),
    h("p", { class: `tower-name ${planeOf(name)}` }, name));
}

/** @param {string} name */
function planeOf(name) {
  const plane = name.match(/plane (\d+)/);
  return plane ? planeClass(Number(plane[1])) : "";
}

/** How many lie on the fullest stack of any step. @param {{ stacks: Record<string, number[]> }[]} steps */
export function tallest(steps) {
  return Math.max(0, ...steps.flatMap((step) => Object.values(step.stacks).map((stack) => stack.length)));
}

/** Show the stacks after a step beside what they were before it. @param {Element} place @param {Record<string, number[]>} before @param {Record<string, number[]>} after @param {string[]} words */
export function showStacks(place, before, after, words) {
  const names = Object.keys(after);
  refill(place, names.length
    ? names.map((name) => tower(name, before[name] ?? [], after[name], words))
    : h("p", { class: "hint" }, "This encoding needs no stack: each label is read by itself."));
}
