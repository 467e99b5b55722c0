"use strict";
// Pointing at a word keeps its arcs and their other ends; pointing at an arc keeps it and its ends.
function touching(svg, target) {
  const word = target.dataset.word;
  const arcs = word === undefined ? [target]
    : [...svg.querySelectorAll(".arc")].filter((a) => a.dataset.head === word || a.dataset.dependent === word);
  const ends = new Set(arcs.flatMap((a) => [a.dataset.head, a.dataset.dependent]).concat(word));
  return arcs.concat([...svg.querySelectorAll(".word")].filter((w) => ends.has(w.dataset.word)));
}
function clear(svg) {
  svg.classList.remove("focus");
  svg.querySelectorAll(".hot").forEach((mark) => mark.classList.remove("hot"));
}
document.querySelectorAll("svg.arctag").forEach((svg) => {
  svg.addEventListener("pointerover", (event) => {
    clear(svg);
    const target = event.target.closest(".arc, .word");
    if (!target) return;
    svg.classList.add("focus");
    touching(svg, target).forEach((mark) => mark.classList.add("hot"));
  });
  svg.addEventListener("pointerleave", () => clear(svg));
});
