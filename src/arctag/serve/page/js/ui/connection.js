// @ts-check
// A line at the top of the page while the service does not answer; it goes when the service is back.
import { get, onReached } from "../api.js";
import { button } from "./controls.js";
import { h } from "./dom.js";

const PACE = 3000; // milliseconds between attempts

/** Watch the service; `onBack` is called when it answers again. @param {Element} place @param {() => void} onBack */
export function watchConnection(place, onBack) {
  let timer = 0;
  const tryNow = () => { get("api/health").catch(() => {}); };
  const line = h("p", { class: "notice bad connection", role: "alert", hidden: true },
    "The service does not answer. Is ", h("code", {}, "arctag serve"), " still running? ", button("Try again", tryNow));
  place.append(line);
  onReached((reached) => {
    if (!reached && line.hidden) timer = window.setInterval(tryNow, PACE);
    if (reached && !line.hidden) {
      clearInterval(timer);
      onBack();
    }
    line.hidden = reached;
  });
}
