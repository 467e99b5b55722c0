// Light or dark: the system's choice until the button says otherwise.
const KEY = "arctag-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

function stored() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

function store(theme) {
  try {
    if (theme === (system.matches ? "dark" : "light")) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // forbidden storage: the choice lasts as long as the page
  }
}

function set(theme, button) {
  document.documentElement.dataset.theme = theme;
  button.setAttribute("aria-pressed", String(theme === "dark"));
}

/** Let a button switch between light and dark. */
export function startTheme(button) {
  set(document.documentElement.dataset.theme, button);
  button.addEventListener("click", () => {
    const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
    set(theme, button);
    store(theme);
  });
  system.addEventListener("change", () => {
    if (!stored()) set(system.matches ? "dark" : "light", button);
  });
}
