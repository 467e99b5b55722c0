// Starts the page: one view at a time, chosen by the address.
import { get } from "./api.js";
import { browseView } from "./browse/view.js";
import { lessonView } from "./lesson/view.js";
import { parseView } from "./parse/view.js";
import { readRoute } from "./route.js";
import { startTheme } from "./theme.js";
import { h } from "./ui/dom.js";
import { tell } from "./ui/toast.js";

const TITLES = { parse: "Parse", browse: "Browse", encodings: "Encodings, explained" };
const VIEWS = { parse: parseView, browse: browseView, encodings: lessonView };

const place = document.getElementById("view");
const views = new Map();
let current = null;

/** Make a view when it is first opened; then it keeps what was done in it. */
function viewOf(tab) {
  if (!views.has(tab)) views.set(tab, VIEWS[tab]());
  return views.get(tab);
}

async function go() {
  const { tab, params, unknown } = readRoute();
  if (unknown) tell(`There is no view “${unknown.slice(0, 40)}”; this is ${TITLES[tab]}.`, true);
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
  await view.open(params);
}

async function showVersion() {
  const health = await get("api/health").catch(() => null);
  if (!health) return;
  document.getElementById("about").replaceChildren(
    `Arctag ${health.version} · `, h("a", { href: "docs" }, "the service's interface"),
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
