// The site: pictures of games, drawn when they come into view, and the search over all pages. Data come as scripts, which also
// works for files on a disk.

import { drawPicture } from "./picture_view.js";
import { html } from "./svg.js";

const MOST_FOUND = 30;
const AROUND = 80; // letters shown before and after what was found
const base = document.documentElement.dataset.base; // the way to the first page

/** Loads a script that calls a function of `globalThis`. */
function load(path) {
  return new Promise((done, failed) => {
    document.head.append(html("script", { src: `${base}${path}`, onload: done, onerror: () => failed(new Error(path)) }));
  });
}

const pictures = new Map();
globalThis.gamePicture = (name, data) => pictures.set(name, data);
let pages = null;
globalThis.sitePages = (found) => { pages = found; };

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

// ---------------------------------------------------------------------------------------------------------- search

/** Pages that have all words, best first: words in titles count more. */
export function ranked(all, question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (!words.length) return [];
  const score = ({ title, text }) => words.reduce((sum, word) => sum + (title.toLowerCase().includes(word) ? 100 : 0) + Math.min(20, text.toLowerCase().split(word).length - 1), 0);
  const hits = all.filter(({ title, text }) => words.every((word) => `${title} ${text}`.toLowerCase().includes(word)));
  return hits.map((page) => [score(page), page]).sort((a, b) => b[0] - a[0]).slice(0, MOST_FOUND).map(([, page]) => ({ ...page, words }));
}

function found({ title, url, text, words }) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]));
  const piece = text.slice(Math.max(0, at - AROUND), at + AROUND);
  return html("li", {}, html("a", { href: `${base}${url}` }, title), html("p", {}, piece ? `… ${piece} …` : ""));
}

function search(field, list) {
  const show = async () => {
    if (!pages) await load("search.js");
    const hits = ranked(pages, field.value);
    list.replaceChildren(...(hits.length || !field.value.trim() ? hits.map(found) : [html("li", {}, "Nothing found.")]));
    list.hidden = !field.value.trim();
  };
  field.addEventListener("input", show);
  field.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; show(); }
  });
}

/** Begins a page of the site. */
export function begin() {
  document.querySelectorAll("[data-game]").forEach((element) => seen.observe(element));
  const field = document.querySelector("#search input");
  if (field) search(field, document.querySelector("#found"));
}
