// What the view is asked to do, and how an address says it.
import { pack, unpack } from "../pack.js";
import { hashOf } from "../route.js";
import { EXAMPLES } from "./examples.js";
import { READINGS } from "./request.js";

const SHORT = 200; // characters that go into the address as they are

export const LONGEST = 6000; // characters of an address that still travels well

/** The promises a model can be asked to keep, and what they mean. */
export const GUARANTEES = [
  ["attached", "every word has a head"],
  ["top", "there is a root"],
  ["acyclic", "no cycles"],
  ["connected", "every word can be reached from the root"],
];

/** The options of a view that nobody has touched; without text it has never been open. */
export function freshOptions() {
  return { text: null, model: "", reading: "text", ensure: new Set(), probabilities: false, tree: false };
}

/** The address of these options; the `usual` model needs no mention. */
export async function addressOf(options, usual) {
  const { text, model, reading, ensure, probabilities, tree } = options;
  const long = text.length > SHORT;
  return hashOf("parse", {
    t: long ? "" : text, z: long ? await pack(text) : "", m: model === usual ? "" : model, r: reading === "text" ? "" : reading,
    g: [...ensure].join("."), p: probabilities ? 1 : "", v: tree ? "tree" : "", empty: text ? "" : 1,
  });
}

/** The options that an address names; an error if its text cannot be read. */
export async function readAddress(params) {
  const names = GUARANTEES.map(([name]) => name);
  const text = params.has("z") ? await unpack(params.get("z")) : params.get("t") ?? (params.has("empty") ? "" : EXAMPLES[0][1]);
  return {
    text,
    model: params.get("m") ?? "",
    reading: params.get("r") in READINGS ? params.get("r") : "text",
    ensure: new Set((params.get("g") ?? "").split(".").filter((name) => names.includes(name))),
    probabilities: params.get("p") === "1",
    tree: params.get("v") === "tree",
  };
}

/** What of the options the service is told. */
export function requestOptions({ model, ensure, probabilities }) {
  return {
    model: model || undefined,
    ensure: ensure.size ? [...ensure] : undefined,
    probabilities: probabilities || undefined,
  };
}
