// The site: pictures of games, drawn when they come into view. Their data come as scripts, which also works for files on a disk.

import { drawPicture } from "./picture_view.js";
import { html } from "./svg.js";

const base = new URL(".", document.currentScript.src); // the first page's folder

/** Loads a script that calls a function of `globalThis`. */
function load(path) {
  return new Promise((done, failed) => {
    document.head.append(html("script", { src: new URL(path, base), onload: done, onerror: () => failed(new Error(path)) }));
  });
}

const pictures = new Map();
globalThis.gamePicture = (name, data) => pictures.set(name, data);

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target);
  }
}, { rootMargin: "200px" });

async function draw(element) {
  const { game } = element.dataset;
  if (!pictures.has(game)) await load(`pictures/${game}.js`);
  drawPicture(element, pictures.get(game));
}

/** Begins a page of the site. */
export function begin() {
  document.querySelectorAll("[data-game]").forEach((element) => seen.observe(element));
}
