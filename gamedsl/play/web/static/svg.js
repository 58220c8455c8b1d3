// Small helpers for SVG and HTML elements.

const SVG = "http://www.w3.org/2000/svg";

/** An SVG element with attributes; undefined and null ones are left out. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

/** An HTML element. `onclick` and the like become listeners; texts are set as text, never as HTML. */
export function html(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function filled(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key === "style") element.style.cssText = value; // an attribute would need 'unsafe-inline' in a Content-Security-Policy
    else if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== ""));
  return element;
}

export const at = ([x, y]) => `${round(x)} ${round(y)}`;

export function round(value) {
  return Math.round(value * 100) / 100;
}

/** The points of a polygon as an attribute. */
export const points = (list) => list.map((p) => `${round(p[0])},${round(p[1])}`).join(" ");

/** Sets an attribute that has another value: to set it again costs a browser as much as to change it. */
export function put(element, name, value) {
  if (element.getAttribute(name) !== value) element.setAttribute(name, value);
}

/** Makes these the only children of an element. Those that are there stay attached, as a browser lays out anew what was not. */
export function fill(element, children) {
  const wanted = new Set(children.filter(Boolean));
  [...element.children].filter((child) => !wanted.has(child)).forEach((child) => child.remove());
  let next = element.firstElementChild;
  for (const child of wanted) {
    if (child === next) next = child.nextElementSibling;
    else element.insertBefore(child, next);
  }
}
