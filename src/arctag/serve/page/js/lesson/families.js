// @ts-check
// The encodings as families: those that differ in the number of planes only are one.

/** @typedef {{ family: string, description: string, planes: number[], treesOnly: boolean }} Family */
/** @typedef {{ families: Family[], family: string, planes: number }} Chosen */

/** The families with the planes they offer, from the service's list. @param {{ family: string, planes: number | null, description: string, trees_only: boolean }[]} encodings @returns {Family[]} */
export function familiesOf(encodings) {
  /** @type {Map<string, Family>} */
  const families = new Map();
  for (const { family, planes, description, trees_only } of encodings) {
    const known = families.get(family) ?? { family, description, planes: [], treesOnly: trees_only };
    if (planes !== null) known.planes.push(planes);
    families.set(family, known);
  }
  return [...families.values()];
}

/** The family of that name. @param {Chosen} state */
export function familyOf({ families, family }) {
  return families.find((one) => one.family === family);
}

/** The name of the encoding that a state has chosen: 'bits6-4'. @param {Chosen} state */
export function encodingName(state) {
  return familyOf(state)?.planes.length ? `${state.family}-${state.planes}` : state.family;
}

/** Whether the encoding that a state has chosen is for trees only. @param {Chosen} state */
export function isForTrees(state) {
  return Boolean(familyOf(state)?.treesOnly);
}
