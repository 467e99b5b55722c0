// @ts-check
// Starts the page: one view at a time, chosen by the address.
import { get } from "./api.js";
import { browseView } from "./browse/view.js";
import { lessonView } from "./lesson/view.js";
import { parseView } from "./parse/view.js";
import { readRoute } from "./route.js";
import { startTheme } from "./theme.js";
import { watchConnection } from "./ui/connection.js";
import { h } from "./ui/dom.js";
import { clearToasts, notify } from "./ui/toast.js";
import { hideTooltip } from "./ui/tooltip.js";

/** @typedef {import("./types").View} View */

/** @type {Record<string, string>} */
const TITLES = { parse: "Parse", browse: "Browse", encodings: "Encodings, explained" };
/** @type {Record<string, () => View>} */
const VIEWS = { parse: parseView, browse: browseView, encodings: lessonView };

const place = /** @type {HTMLElement} */ (document.getElementById("view"));
/** @type {Map<string, View>} */
const views = new Map();
/** @type {View | null} */
let current = null;
let opening = 0; // views that are being opened

/** Make a view when it is first opened; then it keeps what was done in it. @param {string} tab */
function viewOf(tab) {
  const view = views.get(tab) ?? VIEWS[tab]();
  views.set(tab, view);
  return view;
}

async function go() {
  const { tab, params, unknown } = readRoute();
  const view = viewOf(tab);
  if (current !== view) {
    current?.leave?.();
    clearToasts();
    hideTooltip();
    place.replaceChildren(view.element);
    current = view;
  }
  if (unknown) notify(`There is no view “${unknown.slice(0, 40)}”; ${TITLES[tab]} is shown.`, true);
  document.title = `${TITLES[tab]} · Arctag`;
  for (const link of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-tab]"))) {
    if (link.dataset.tab === tab) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  opening += 1;
  place.setAttribute("aria-busy", "true");
  try {
    await view.open(params);
  } finally {
    opening -= 1;
    if (!opening) place.removeAttribute("aria-busy");
  }
}

async function showVersion() {
  const health = await get("api/health").catch(() => null);
  if (!health) return;
  document.getElementById("about")?.replaceChildren(
    `Arctag ${health.version} · `, h("a", { href: "docs" }, "API"),
  );
}

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") hideTooltip();
  current?.key?.(event);
});
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault(); // '#view' would be taken for an address of ours
  place.focus();
});
window.addEventListener("hashchange", go);
startTheme(/** @type {HTMLElement} */ (document.getElementById("theme")));
watchConnection(/** @type {HTMLElement} */ (document.getElementById("connection")), () => {
  showVersion();
  current?.retry?.();
});
showVersion();
go();
