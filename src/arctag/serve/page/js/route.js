// The address after '#' names the view and what it shows: #parse?t=She+left
const TABS = ["parse", "browse", "encodings"];

/** The tab and the parameters of an address; `unknown` is a name that is none of the tabs'. */
export function readRoute(hash = location.hash) {
  const [name, query = ""] = hash.replace(/^#/, "").split(/\?(.*)/s);
  const known = TABS.includes(name);
  return { tab: known ? name : TABS[0], params: new URLSearchParams(query), unknown: known ? "" : name };
}

/** The address of a view; parameters without a value are left out. */
export function hashOf(tab, values) {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) {
    if (value !== undefined && value !== null && value !== "" && value !== false) params.set(name, String(value));
  }
  const query = params.toString();
  return query ? `#${tab}?${query}` : `#${tab}`;
}

/** Put an address into the bar without a new entry in the history, and into the tab's link. */
export function showRoute(hash) {
  const { tab } = readRoute(hash);
  document.querySelector(`[data-tab="${tab}"]`).setAttribute("href", hash);
  if (readRoute().tab === tab || !location.hash) history.replaceState(null, "", hash);
}
