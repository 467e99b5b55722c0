// @ts-check
// A picture as an SVG file that needs nothing else: every style becomes an attribute, which all programs understand.
import { onStage } from "./stage.js";

const SHAPE = ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity"];
const TEXT = [...SHAPE, "font-family", "font-size", "font-style", "font-weight", "text-anchor", "text-decoration-line"];
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
/** @type {Record<string, string>} */
const PLAIN = { "stroke-dasharray": "none", opacity: "1", "font-style": "normal", "font-weight": "400", stroke: "none", "text-decoration-line": "none" };
/** @type {Record<string, string>} */
const WRITTEN = { "text-decoration-line": "text-decoration" };

/** rgb(31, 104, 179) as #1f68b3, which every program knows. @param {string} colour */
function hex(colour) {
  const parts = colour.match(/^rgb\((\d+), (\d+), (\d+)\)$/);
  return parts ? `#${parts.slice(1).map((part) => Number(part).toString(16).padStart(2, "0")).join("")}` : colour;
}

/** @param {Element} element */
function keepStyles(element) {
  const style = getComputedStyle(element);
  const names = ["text", "tspan"].includes(element.localName) ? TEXT : SHAPE;
  for (const name of names) {
    const value = style.getPropertyValue(name);
    const idle = value === PLAIN[name] || (name === "stroke-width" && style.stroke === "none");
    if (value && !idle) element.setAttribute(WRITTEN[name] ?? name, hex(value).replaceAll('"', "'"));
  }
}

/** The text of an SVG file with the given pictures. @param {SVGElement[]} pictures */
export function svgFile(pictures) {
  return onStage(pictures, (svg) => {
    for (const element of svg.querySelectorAll("path, rect, circle, text, tspan, g.arc")) {
      if (element.localName === "g") {
        const { opacity } = getComputedStyle(element);
        if (opacity !== "1") element.setAttribute("opacity", opacity);
      } else keepStyles(element);
    }
    svg.removeAttribute("class");
    svg.removeAttribute("aria-hidden");
    svg.setAttribute("role", "img");
    for (const element of svg.querySelectorAll("*")) {
      for (const name of ["class", "data-arc", "data-below", "data-word", "data-row"]) element.removeAttribute(name);
    }
    const text = new XMLSerializer().serializeToString(svg).replace(NOT_XML, "\ufffd");
    return `<?xml version="1.0" encoding="UTF-8"?>\n${text}\n`;
  });
}
