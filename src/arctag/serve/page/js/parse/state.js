// @ts-check
// The state of the view: what was asked for, what has come of it; and how it is written in an address.
import { MAIN } from "../graph/graphs.js";
import { INFO } from "../info.js";
import { pack, unpack } from "../pack.js";
import { hashOf } from "../route.js";
import { firstLook } from "../ui/look.js";
import { EXAMPLES } from "./examples.js";
import { READINGS } from "./request.js";

/** @typedef {import("../types").Sentence} Sentence */
/** @typedef {keyof typeof READINGS} Reading */

const SHORT = 200; // characters that go into the address as they are

export const LONGEST = 6000; // characters of an address that other programs still take

/** The state to begin with; without text the view has never been open. */
export function firstState() {
  return {
    /** @type {string | null} */
    text: null,
    model: "",
    /** @type {Reading} */
    reading: "text",
    /** @type {Set<string>} */
    ensure: new Set(),
    probabilities: false,
    look: firstLook(),
    /** @type {import("../types").Model[]} */
    models: [],
    defaultModel: "",
    /** @type {Sentence[]} */
    sentences: [],
    /** The text whose graphs these are. @type {string | null} */
    shown: null,
    skipped: 0,
    milliseconds: 0,
    /** Chunks of the text that have been parsed, and how many there are. */
    done: 0,
    all: 0,
    /** "late" is a wait that has become long; "stopped" is the end of work that was given up. @type {"idle" | "waiting" | "late" | "parsing" | "stopped"} */
    phase: "idle",
    error: "",
  };
}

/** @typedef {ReturnType<typeof firstState>} State */
/** @typedef {Pick<State, "text" | "model" | "reading" | "ensure" | "probabilities">} Asked */

/** The address of a state; what is usual is left out. @param {State} state */
export async function addressOf({ text, model, defaultModel, reading, ensure, probabilities, look }) {
  const long = (text ?? "").length > SHORT;
  return hashOf("parse", {
    t: long ? "" : text, z: long ? await pack(text ?? "") : "", m: model === defaultModel ? "" : model, r: reading === "text" ? "" : reading,
    g: [...ensure].join("."), p: probabilities ? 1 : "", v: look.graph === MAIN ? "" : look.graph, u: look.below, empty: text ? "" : 1,
  });
}

/** The text of an address; an error if it cannot be read. @param {URLSearchParams} params */
export async function textOfAddress(params) {
  if (params.has("z")) return unpack(params.get("z") ?? "");
  return params.get("t") ?? (params.has("empty") ? "" : EXAMPLES[0][1]);
}

/** What else an address asks for. @param {URLSearchParams} params @param {State} state */
export function readAddress(params, { look, models, defaultModel }) {
  const names = INFO.guarantees.map(({ name }) => name);
  const reading = params.get("r") ?? "";
  const model = params.get("m") ?? "";
  return {
    unknownModel: model && !models.some((one) => one.name === model) ? model : "",
    asked: {
      model: models.some((one) => one.name === model) ? model : defaultModel,
      reading: /** @type {Reading} */ (Object.hasOwn(READINGS, reading) ? reading : "text"),
      ensure: new Set((params.get("g") ?? "").split(".").filter((name) => names.includes(name))),
      probabilities: params.get("p") === "1",
      look: { ...look, graph: params.get("v") || MAIN, below: params.get("u") ?? "" },
    },
  };
}

/** What a request says beside the text. @param {Asked} asked */
export function requestOptions({ model, ensure, probabilities }) {
  return {
    model: model || undefined,
    ensure: ensure.size ? [...ensure] : undefined,
    probabilities: probabilities || undefined,
  };
}
