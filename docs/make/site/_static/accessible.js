// What the theme leaves to do: whatever scrolls can be reached by keyboard, and headings have a level.
addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll("pre, .table-wrapper, .output")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  }
  for (const heading of document.querySelectorAll("[role=heading]:not([aria-level])")) heading.ariaLevel = "2";
});
