// The controls that narrow a treebank down.
import { choice, freshId, tick } from "../ui/controls.js";
import { h, refill } from "../ui/dom.js";
import { NO_FILTER } from "./filter.js";

const WAIT = 150; // milliseconds after the last key

function field(label, placeholder, onText) {
  const id = freshId("search");
  const known = h("datalist", { id: `${id}-known` });
  let timer = 0;
  const input = h("input", {
    id, type: "search", placeholder, autocomplete: "off", spellcheck: "false", list: known.id,
    on: { input: () => { clearTimeout(timer); timer = setTimeout(() => onText(input.value), WAIT); } },
  });
  return { element: h("div", { class: "field" }, h("label", { for: id }, label), input, known), input, known };
}

/** The controls; `onChange` is called with the filter. */
export function searchBar(onChange) {
  let filter = { ...NO_FILTER };
  const set = (name) => (value) => {
    filter = { ...filter, [name]: value };
    onChange(filter);
  };
  const word = field("Word", "contains …", set("word"));
  const relation = field("Relation", "nsubj …", set("relation"));
  const planes = choice("Planes", [["0", "any"], ["2", "2 or more"], ["3", "3 or more"], ["4", "4 or more"]], "0", (value) => set("planes")(Number(value)));
  const cyclic = tick("Cyclic", false, set("cyclic"));
  const broken = tick("Broken", false, set("broken"));
  const wrong = tick("With mistakes", false, set("wrong"));
  wrong.element.hidden = true;

  function reset() {
    filter = { ...NO_FILTER };
    [word.input.value, relation.input.value, planes.select.value] = ["", "", "0"];
    [cyclic, broken, wrong].forEach(({ box }) => { box.checked = false; });
  }

  /** What the address says of the search; mistakes belong to a comparison, which no address can bring back. */
  const address = () => ({ w: filter.word, r: filter.relation, p: filter.planes || "", c: filter.cyclic ? 1 : "", b: filter.broken ? 1 : "" });

  /** Search for what an address says. */
  function take(params) {
    const ticked = (name) => params.get(name) === "1";
    reset();
    filter = {
      ...NO_FILTER, word: params.get("w") ?? "", relation: params.get("r") ?? "", cyclic: ticked("c"), broken: ticked("b"),
      planes: [2, 3, 4].find((number) => String(number) === params.get("p")) ?? 0,
    };
    [word.input.value, relation.input.value, planes.select.value] = [filter.word, filter.relation, String(filter.planes)];
    [cyclic.box.checked, broken.box.checked] = [filter.cyclic, filter.broken];
  }

  return {
    element: h("div", { class: "controls" }, word.element, relation.element, planes.element, cyclic.element, broken.element, wrong.element),
    reset, address, take,
    isEmpty: () => ![word.input.value, relation.input.value, ...Object.values(address())].some(Boolean),
    filter: () => filter,
    offerRelations: (names) => refill(relation.known, names.map((name) => h("option", { value: name }))),
    offerMistakes: (offered) => { wrong.element.hidden = !offered; },
  };
}
