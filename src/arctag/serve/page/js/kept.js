// @ts-check
// What the browser keeps from one visit to the next: colours, and how pictures are drawn. Never a text.
const PREFIX = "arctag-"; // theme_first.js has it, too

/** What was kept; null if nothing was, or storage is forbidden. @param {string} key */
export function kept(key) {
  try {
    return localStorage.getItem(PREFIX + key);
  } catch {
    return null;
  }
}

/** Keep a text, or with null forget it. @param {string} key @param {string | null} text */
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(PREFIX + key);
    else localStorage.setItem(PREFIX + key, text);
  } catch {
    // forbidden storage: the choice lasts as long as the page
  }
}
