// Starts the page: one view at a time, chosen by the address.
import { get } from "./api.js";
import { browseView } from "./browse/view.js";
import { lessonView } from "./lesson/view.js";
import { parseView } from "./parse/view.js";
import { readRoute } from "./route.js";
import { startTheme } from "./theme.js";
import { h } from "./ui/dom.js";
import { notify } from "./ui/toast.js";

const TITLES = { parse: "Parse", browse: "Browse", encodings: "Encodings, explained" };
const VIEWS = { parse: parseView, browse: browseView, encodings: lessonView };

const place = document.getElementById("view");
const views = new Map();
let current = null;
let opening = 0; // views that are being opened

/** Make a view when it is first opened; then it keeps what was done in it. */
function viewOf(tab) {
  if (!views.has(tab)) views.set(tab, VIEWS[tab]());
  return views.get(tab);
}

async function go() {
  const { tab, params, unknown } = readRoute();
  if (unknown) notify(`There is no view “${unknown.slice(0, 40)}”; ${TITLES[tab]} is shown.`, true);
  const view = viewOf(tab);
  if (current !== view) {
    current?.leave?.();
    place.replaceChildren(view.element);
    current = view;
  }
  document.title = `${TITLES[tab]} · Arctag`;
  for (const link of document.querySelectorAll("[data-tab]")) {
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
  document.getElementById("about").replaceChildren(
    `Arctag ${health.version} · `, h("a", { href: "docs" }, "API"),
  );
}

document.addEventListener("keydown", (event) => current?.key?.(event));
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault(); // '#view' would be taken for an address of ours
  place.focus();
});
window.addEventListener("hashchange", go);
startTheme(document.getElementById("theme"));
showVersion();
go();
