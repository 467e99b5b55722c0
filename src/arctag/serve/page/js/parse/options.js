// The options of the view, and how they are written in an address.
import { MAIN } from "../graph/graphs.js";
import { INFO } from "../info.js";
import { pack, unpack } from "../pack.js";
import { hashOf } from "../route.js";
import { EXAMPLES } from "./examples.js";
import { READINGS } from "./request.js";

const SHORT = 200; // characters that go into the address as they are

export const LONGEST = 6000; // characters of an address that other programs still take

/** The initial options; without text the view has never been open. */
export function freshOptions() {
  return { text: null, model: "", reading: "text", ensure: new Set(), probabilities: false, graph: MAIN };
}

/** The address of these options; the default model is left out. */
export async function addressOf(options, defaultModel) {
  const { text, model, reading, ensure, probabilities, graph } = options;
  const long = text.length > SHORT;
  return hashOf("parse", {
    t: long ? "" : text, z: long ? await pack(text) : "", m: model === defaultModel ? "" : model, r: reading === "text" ? "" : reading,
    g: [...ensure].join("."), p: probabilities ? 1 : "", v: graph === MAIN ? "" : graph, empty: text ? "" : 1,
  });
}

/** The options that an address names; an error if its text cannot be read. */
export async function readAddress(params) {
  const names = INFO.guarantees.map(({ name }) => name);
  const text = params.has("z") ? await unpack(params.get("z")) : params.get("t") ?? (params.has("empty") ? "" : EXAMPLES[0][1]);
  return {
    text,
    model: params.get("m") ?? "",
    reading: params.get("r") in READINGS ? params.get("r") : "text",
    ensure: new Set((params.get("g") ?? "").split(".").filter((name) => names.includes(name))),
    probabilities: params.get("p") === "1",
    graph: params.get("v") || MAIN,
  };
}

/** The options as part of a request. */
export function requestOptions({ model, ensure, probabilities }) {
  return {
    model: model || undefined,
    ensure: ensure.size ? [...ensure] : undefined,
    probabilities: probabilities || undefined,
  };
}
