// @ts-check
// The lesson in the address bar: which encoding, which graph, which step.
import { pack, unpack } from "../pack.js";
import { hashOf } from "../route.js";
import { exampleOf } from "./examples.js";
import { encodingName } from "./families.js";
import { makeGraph, rowsOf } from "./graph.js";
import { lastPosition } from "./state.js";

const NAME = /^([a-z][a-z0-9]*?)(?:-(\d+))?$/;

/** The address of a state; a graph that is no example travels in it, packed. @param {import("./state.js").State} state */
export async function addressOf(state) {
  return hashOf("encodings", {
    e: encodingName(state),
    x: state.example, g: state.example ? "" : await pack(JSON.stringify({ w: state.graph.words, a: rowsOf(state.graph) })),
    l: state.changed ? await pack(JSON.stringify(state.changed)) : "",
    c: state.crossing === "strict" ? "strict" : "", a: state.assign === "best" ? "best" : "",
    n: state.showNulls ? "" : "0", r: state.showRelations ? "" : "0", s: state.position === lastPosition(state) ? "" : state.position,
  });
}

/** @param {URLSearchParams} params */
async function graphOf(params) {
  if (!params.has("g")) {
    const example = exampleOf(params.get("x"));
    return { example: example.name, graph: makeGraph(example.words, example.arcs) };
  }
  const { w, a } = JSON.parse(await unpack(params.get("g") ?? ""));
  return { example: "", graph: makeGraph(w, a) };
}

/** What in an address is unknown: "encoding “bits9-99”". @param {URLSearchParams} params @param {string[]} encodings @param {string} example */
function unknownNames(params, encodings, example) {
  const quoted = (/** @type {string} */ kind, /** @type {string | null} */ name) => `${kind} “${(name ?? "").slice(0, 40)}”`;
  return [
    ...(params.has("e") && !encodings.includes(params.get("e") ?? "") ? [quoted("encoding", params.get("e"))] : []),
    ...(params.has("x") && params.get("x") !== example ? [quoted("example", params.get("x"))] : []),
    ...(params.has("s") && !/^\d{1,6}$/.test(params.get("s") ?? "") ? [quoted("step", params.get("s"))] : []),
  ];
}

/** What an address describes; an error if it is damaged. @param {URLSearchParams} params @param {import("./families.js").Family[]} families */
export async function readAddress(params, families) {
  const [, family, planes] = (params.get("e") ?? "bits6-2").match(NAME) ?? [];
  const known = families.find((one) => one.family === family) ?? families.find((one) => one.family === "bits6") ?? families[0];
  /** @type {string[] | null} */
  const changed = params.has("l") ? JSON.parse(await unpack(params.get("l") ?? "")).map(String) : null;
  const shown = await graphOf(params);
  const chosen = known.planes.includes(Number(planes)) ? Number(planes) : Math.min(2, ...known.planes.slice(-1));
  const unknown = unknownNames(params, [known.family, `${known.family}-${chosen}`], shown.example);
  return {
    unknown,
    step: params.has("s") && !unknown.some((name) => name.startsWith("step")) ? Number(params.get("s")) : Infinity,
    state: {
      ...shown,
      family: known.family,
      planes: chosen,
      changed: changed?.length === shown.graph.words.length ? changed : null,
      crossing: params.get("c") === "strict" ? "strict" : "relaxed",
      assign: params.get("a") === "best" ? "best" : "greedy",
      showNulls: params.get("n") !== "0",
      showRelations: params.get("r") !== "0",
    },
  };
}
