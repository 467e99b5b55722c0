// @ts-check
// Graphs to begin with; each shows one thing. An arc is [head, dependent, relation].
/** @type {{ name: string, title: string, words: string[], arcs: (string | number)[][] }[]} */
export const EXAMPLES = [
  {
    name: "tree", title: "A tree",
    words: ["The", "old", "cat", "sleeps", "on", "the", "mat"],
    arcs: [[3, 1, "det"], [3, 2, "amod"], [4, 3, "nsubj"], [0, 4, "root"], [7, 5, "case"], [7, 6, "det"], [4, 7, "obl"]],
  },
  {
    name: "two-heads", title: "Two heads: control",
    words: ["She", "wants", "to", "leave", "early"],
    arcs: [[2, 1, "nsubj"], [4, 1, "nsubj:xsubj"], [0, 2, "root"], [4, 3, "mark"], [2, 4, "xcomp"], [4, 5, "advmod"]],
  },
  {
    name: "crossing", title: "Crossing arcs",
    words: ["A", "talk", "was", "announced", "about", "bees", "yesterday"],
    arcs: [[2, 1, "det"], [4, 2, "nsubj:pass"], [4, 3, "aux:pass"], [0, 4, "root"], [6, 5, "case"], [2, 6, "nmod"], [4, 7, "advmod"]],
  },
  {
    name: "cycle", title: "A cycle: relative clause",
    words: ["The", "cat", "that", "I", "fed", "purred"],
    arcs: [[2, 1, "det"], [6, 2, "nsubj"], [5, 2, "obj"], [2, 3, "ref"], [5, 4, "nsubj"], [2, 5, "acl:relcl"], [0, 6, "root"]],
  },
  {
    name: "sharing", title: "Coordination: shared dependents",
    words: ["Ann", "and", "Ben", "sing", "and", "dance"],
    arcs: [
      [4, 1, "nsubj"], [6, 1, "nsubj"], [3, 2, "cc"], [1, 3, "conj:and"], [4, 3, "nsubj"], [6, 3, "nsubj"], [0, 4, "root"], [6, 5, "cc"],
      [0, 6, "root"], [4, 6, "conj:and"],
    ],
  },
  {
    name: "semantic", title: "Meaning: words left over",
    words: ["Every", "child", "likes", "to", "draw", "tall", "trees"],
    arcs: [[1, 2, "BV"], [3, 2, "ARG1"], [5, 2, "ARG1"], [0, 3, "root"], [3, 5, "ARG2"], [6, 7, "ARG1"], [5, 7, "ARG2"]],
  },
  {
    name: "figure", title: "Figure 1 of the paper",
    words: ["w1", "w2", "w3", "w4", "w5", "w6"],
    arcs: [[2, 1], [2, 3], [6, 3], [1, 4], [1, 5], [3, 5], [4, 5], [5, 6]],
  },
  {
    name: "right-to-left", title: "Right to left: Hebrew",
    words: ["הילדה", "רצתה", "לאכול", "תפוח"],
    arcs: [[2, 1, "nsubj"], [3, 1, "nsubj:xsubj"], [0, 2, "root"], [2, 3, "xcomp"], [3, 4, "obj"]],
  },
];

/** The example of that name, or the second, which shows most with least. @param {string | null} name */
export function exampleOf(name) {
  return EXAMPLES.find((example) => example.name === name) ?? EXAMPLES[1];
}
