// @ts-check
// What the service offers, and its limits. The page waits for it once, before it is drawn.
import { get } from "./api.js";

/** @type {import("./types").Info} */
const NOTHING = {
  formats: [], guarantees: [], layouts: [], metrics: [],
  limits: { body: 1 << 20, words: 2000, arcs: 10000, planes: 10, trace_words: 200, trace_labels: 20000, pattern: 1000 },
};

/** @type {import("./types").Info} */
export const INFO = await get("api/info").catch(() => NOTHING);

/** Characters of a file that surely fit into a request: as JSON, and in UTF-8, a character may take several bytes. */
export const CHUNK = Math.floor(INFO.limits.body / 5);
