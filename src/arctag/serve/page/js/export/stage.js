// Pictures for files are always in the light colours, whatever the page wears: they go into papers and slides.
import { h, s } from "../ui/dom.js";

const GAP = 10;

/** One SVG element with all the pictures below each other. */
function stacked(pictures) {
  const sizes = pictures.map((svg) => [Number(svg.getAttribute("width")), Number(svg.getAttribute("height"))]);
  const width = Math.max(...sizes.map(([x]) => x));
  const height = sizes.reduce((sum, [, y]) => sum + y + GAP, -GAP);
  const whole = s("svg", { class: "picture", width, height, viewBox: `0 0 ${width} ${height}` },
    s("rect", { class: "paper", width, height }));
  let y = 0;
  pictures.forEach((svg, i) => {
    whole.append(s("g", { transform: `translate(0 ${y})` }, [...svg.cloneNode(true).childNodes]));
    y += sizes[i][1] + GAP;
  });
  return whole;
}

/** Call `use` with a copy of the pictures that stands in the document, so that its styles can be computed. */
export function onStage(pictures, use) {
  const svg = pictures.length === 1 ? pictures[0].cloneNode(true) : stacked(pictures);
  const [, , width, height] = svg.getAttribute("viewBox").split(" "); // on the page it may be drawn larger
  svg.setAttribute("width", width);
  svg.setAttribute("height", height);
  svg.classList.remove("lit");
  svg.querySelectorAll(".hot, .is-self, .is-head, .is-dependent").forEach((part) =>
    part.classList.remove("hot", "is-self", "is-head", "is-dependent"));
  svg.querySelectorAll(".hit, .root-place").forEach((part) => part.remove()); // what only a hand or a key needs
  const stage = h("div", { class: "stage", "data-theme": "light", "aria-hidden": "true" }, svg);
  document.body.append(stage);
  try {
    return use(svg);
  } finally {
    stage.remove();
  }
}
