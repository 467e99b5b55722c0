// @ts-check
// The address after '#' names the view and what it shows: #parse?t=She+left
const TABS = ["parse", "browse", "encodings"];

/** The tab and the parameters of an address; `unknown` is a name that is none of the tabs'. */
export function readRoute(hash = location.hash) {
  const [name, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const known = TABS.includes(name);
  return { tab: known ? name : TABS[0], params: new URLSearchParams(query), unknown: known ? "" : name };
}

/**
 * The address of a view; parameters without a value are left out.
 *
 * @param {string} tab @param {Record<string, string | number | boolean | null | undefined>} values
 */
export function hashOf(tab, values) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) params.set(name, String(value));
  }
  const query = params.toString();
  return query ? `#${tab}?${query}` : `#${tab}`;
}

/**
 * Put an address into the bar, and into the tab's link. With `step` it is a new entry in the history, so that one can go
 * back to what was shown before: for what people choose, not for what they type.
 *
 * @param {string} hash
 */
export function showRoute(hash, step = false) {
  const { tab } = readRoute(hash);
  document.querySelector(`[data-tab="${tab}"]`)?.setAttribute("href", hash);
  if (readRoute().tab !== tab && location.hash) return;
  if (step && hash !== location.hash) history.pushState(null, "", hash);
  else history.replaceState(null, "", hash);
}
