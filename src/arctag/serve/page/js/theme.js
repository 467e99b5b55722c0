// @ts-check
// Light or dark: the system's choice until the button says otherwise.
import { kept, keep } from "./kept.js";

const KEY = "theme";
const system = matchMedia("(prefers-color-scheme: dark)");

/** @param {string} theme @param {HTMLElement} button */
function set(theme, button) {
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-pressed", String(theme === "dark"));
}

/** Let a button switch between light and dark. @param {HTMLElement} button */
export function startTheme(button) {
  set(document.documentElement.dataset.theme ?? "light", button);
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    set(theme, button);
    keep(KEY, theme === (system.matches ? "dark" : "light") ? null : theme);
  });
  system.addEventListener("change", () => {
    if (!kept(KEY)) set(system.matches ? "dark" : "light", button);
  });
}
