// @ts-check
// Not a module: it must run before the first paint, or a dark page would flash white.
(() => {
  let kept = null;
  try {
    kept = localStorage.getItem("arctag-theme");
  } catch {
    // storage may be forbidden; the system's choice remains
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = kept === "dark" || kept === "light" ? kept : dark ? "dark" : "light";
})();
