// The lobby: your tables, games with their boards, a search, and the form that makes a table.

import { ask } from "./lobby_net.js";
import { MyTables } from "./lobby_mine.js";
import { drawPicture } from "./picture_view.js";
import { openForm } from "./table_form.js";
import { html } from "./svg.js";
import { uploadForm } from "./upload.js";

const lobby = document.getElementById("lobby");
const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target).catch(() => target.remove());
  }
});
const told = await ask("/api/lobby");
const fold = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
const families = [...new Set(told.games.map(({ family }) => family))];
const most = Math.max(2, ...told.games.flatMap(({ players }) => players));
const cards = told.games.map((game) => ({ game, text: fold(`${game.title} ${game.name} ${game.about} ${game.family}`), element: card(game) }));
const sections = families.map((family) => html("section", {}, html("h2", {}, family), html("ul", { class: "games" }, ...cards.filter(({ game }) => game.family === family).map(({ element }) => element))));
const found = html("p", { role: "status", class: "soft" });
const search = html("input", { type: "search", placeholder: "Search games", "aria-label": "search games", oninput: filter });
const family = chooser("family", [["", "all families"], ...families.map((one) => [one, one])]);
const number = chooser("number of players", [["", "any number"], ...Array.from({ length: most }, (_, i) => [`${i + 1}`, i ? `${i + 1} players` : "1 player"])]);
const kind = chooser("kind", [["", "all kinds"], ["plain", "no luck, nothing hidden"], ["chance", "with luck"], ["hidden", "something is hidden"]]);

lobby.replaceChildren(
  html("h1", {}, "Choose a game"), html("p", {}, "Make a table and send your friend a link. No accounts."), new MyTables().element,
  watchable(told.tables), told.uploads ? uploadForm(form) : "", html("search", {}, search, family, number, kind), found, ...sections);

const linked = new URLSearchParams(location.hash.slice(1)).get("game");
if (linked) await form({ name: linked });

function chooser(label, rows) {
  return html("select", { "aria-label": label, onchange: filter }, ...rows.map(([value, text]) => html("option", { value }, text)));
}

/** Shows the games that fit; every word of the search must occur. */
function filter() {
  const wanted = fold(search.value).split(/\s+/).filter(Boolean);
  let count = 0;
  for (const { game, text, element } of cards) {
    const fits = wanted.every((word) => text.includes(word)) && (!family.value || game.family === family.value) && (!number.value || game.players.includes(Number(number.value)))
      && (!kind.value || { plain: !game.is_hidden && !game.has_chance, chance: game.has_chance, hidden: game.is_hidden }[kind.value]);
    element.hidden = !fits;
    count += fits;
  }
  for (const section of sections) section.hidden = !section.querySelector("li:not([hidden])");
  found.textContent = count === cards.length ? "" : count ? `${count} of ${cards.length} games` : "No game fits. Change the search or the filters.";
}

function watchable(tables) {
  if (!tables.length) return "";
  return html("section", {}, html("h2", {}, "Watch"), html("ul", { class: "watch" }, ...tables.map((t) => html("li", {}, html("a", { class: "tool", href: `/table/${t.table}` }, t.title, t.over ? " (over)" : "")))));
}

function card(game) {
  const picture = html("div", { class: "picture", "aria-hidden": "true", inert: "" });
  seen.observe(Object.assign(picture, { game: game.name }));
  const [low, high] = [game.players[0], game.players.at(-1)];
  const facts = [low === high ? `${low} ${low === 1 ? "player" : "players"}` : `${low} to ${high} players`, game.has_chance ? "luck" : "", game.is_hidden ? "secrets" : ""].filter(Boolean).join(", ");
  return html("li", {}, html("button", { type: "button", onclick: () => form(game) }, picture, html("strong", {}, game.title), html("span", {}, game.about), game.players.length ? html("small", { class: "soft" }, facts) : ""));
}

async function draw(picture) {
  const { game, position } = await ask(`/api/games/${encodeURIComponent(picture.game)}`);
  const scene = game.scenes.find((one) => one.part === position.scene);
  if (!scene || scene.kind === "none") picture.hidden = true;
  else drawPicture(picture, { scene, picture: position.picture });
}

async function form(game) {
  document.querySelector("#lobby > .failed")?.remove();
  await openForm(game, told.seats).catch((error) => lobby.prepend(html("p", { role: "alert", class: "failed" }, error.message)));
}
