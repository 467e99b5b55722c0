// @ts-check
// The state of a view in one place: parts of the view are drawn from it, and what people do changes it here only.

/**
 * A store: `state` is what is so now, `set` changes some of it, and `watch` has a function called after each change of one
 * of the named keys, with the state and what it was before.
 *
 * @template {object} S
 * @param {S} initial
 */
export function createStore(initial) {
  let state = initial;
  /** @type {{ keys: (keyof S)[], react: (state: S, before: S) => void }[]} */
  const watchers = [];

  return {
    get state() {
      return state;
    },

    /** @param {Partial<S>} changes */
    set(changes) {
      const before = state;
      state = { ...state, ...changes };
      for (const { keys, react } of watchers) {
        if (keys.some((key) => state[key] !== before[key])) react(state, before);
      }
    },

    /**
     * @param {(keyof S)[]} keys
     * @param {(state: S, before: S) => void} react
     */
    watch(keys, react) {
      watchers.push({ keys, react });
    },
  };
}
