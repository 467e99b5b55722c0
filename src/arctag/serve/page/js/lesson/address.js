// The lesson in the address bar: which encoding, which graph, which step.
import { pack, unpack } from "../pack.js";
import { hashOf } from "../route.js";
import { exampleOf } from "./examples.js";
import { makeGraph, rowsOf } from "./graph.js";

const NAME = /^([a-z][a-z0-9]*?)(?:-(\d+))?$/;

/** The address of a state; a graph that is no example travels in it, packed. */
export async function addressOf(state, name, step) {
  return hashOf("encodings", {
    e: name,
    x: state.example, g: state.example ? "" : await pack(JSON.stringify({ w: state.graph.words, a: rowsOf(state.graph) })),
    l: state.changed ? await pack(JSON.stringify(state.changed)) : "",
    c: state.crossing === "strict" ? "strict" : "", a: state.assign === "best" ? "best" : "",
    n: state.showNulls ? "" : "0", r: state.showRelations ? "" : "0", s: step ?? "",
  });
}

async function graphOf(params) {
  if (!params.has("g")) {
    const example = exampleOf(params.get("x"));
    return { example: example.name, graph: makeGraph(example.words, example.arcs) };
  }
  const { w, a } = JSON.parse(await unpack(params.get("g")));
  return { example: "", graph: makeGraph(w, a) };
}

/** The names in an address that are unknown: "encoding “bits9-99”". */
function unknownNames(params, encodings, example) {
  const quoted = (kind, name) => `${kind} “${name.slice(0, 40)}”`;
  return [
    ...(params.has("e") && !encodings.includes(params.get("e")) ? [quoted("encoding", params.get("e"))] : []),
    ...(params.has("x") && params.get("x") !== example ? [quoted("example", params.get("x"))] : []),
  ];
}

/** The state that an address describes; an error if it is damaged. */
export async function readAddress(params, families) {
  const [, family, planes] = (params.get("e") ?? "bits6-2").match(NAME) ?? [];
  const known = families.find((one) => one.family === family) ?? families.find((one) => one.family === "bits6") ?? families[0];
  const changed = params.has("l") ? JSON.parse(await unpack(params.get("l"))).map(String) : null;
  const shown = await graphOf(params);
  const chosen = known.planes.includes(Number(planes)) ? Number(planes) : Math.min(2, ...known.planes.slice(-1));
  return {
    ...shown,
    family: known.family,
    planes: chosen,
    unknown: unknownNames(params, [known.family, `${known.family}-${chosen}`], shown.example),
    changed: changed?.length === shown.graph.words.length ? changed : null,
    crossing: params.get("c") === "strict" ? "strict" : "relaxed",
    assign: params.get("a") === "best" ? "best" : "greedy",
    showNulls: params.get("n") !== "0",
    showRelations: params.get("r") !== "0",
    step: params.has("s") ? Number(params.get("s")) : undefined,
  };
}
