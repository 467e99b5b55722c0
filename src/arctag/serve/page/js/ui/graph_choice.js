// Which of the graphs of a sentence is drawn; there is a choice only where there are several.
import { graphTitle } from "../graph/graphs.js";
import { segments } from "./controls.js";
import { h, refill } from "./dom.js";

/** The choice; `onChoose` is called with the name of a graph, `offer` says which there are and which is drawn. */
export function graphChoice(onChoose) {
  const element = h("div", { hidden: true });
  let offered = [];
  let made = null;

  function offer({ names, graph }) {
    if (names.join("\n") !== offered.join("\n")) {
      made = segments("Which arcs", names.map((name) => [name, graphTitle(name)]), graph, onChoose);
      refill(element, made.element);
      offered = names;
    }
    made.set(graph);
    element.hidden = names.length < 2;
  }

  return { element, offer };
}
