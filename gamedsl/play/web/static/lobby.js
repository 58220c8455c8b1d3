// The lobby: games with their boards, and the form that makes a table.

import { drawPicture } from "./picture_view.js";
import { html } from "./svg.js";
import { uploadForm } from "./upload.js";

const lobby = document.getElementById("lobby");
const post = (url, data) => ask(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });
const ask = async (url, options) => {
  const answer = await fetch(url, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message);
  return told;
};
const CLOCKS = [["no clock", { kind: "none" }], ["one minute a move", { kind: "move", base: 60 }], ["5 minutes + 5 seconds a move", { kind: "fischer", base: 300, step: 5 }], ["15 minutes + 10 seconds a move", { kind: "fischer", base: 900, step: 10 }], ["one day a move", { kind: "move", base: 86400 }], ["a week a move", { kind: "move", base: 604800 }]];
const WHO = { person: "a person", random: "a random player", "mcts:200ms": "an agent, weak", "mcts:1s": "an agent", "mcts:4s": "an agent, strong" };

const seen = new IntersectionObserver((entries) => {
  for (const { isIntersecting, target } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target).catch(() => target.remove());
  }
});
const told = await ask("/api/lobby");
const families = Map.groupBy ? Map.groupBy(told.games, (game) => game.family) : grouped(told.games);
lobby.replaceChildren(
  html("h1", {}, "Choose a game"), html("p", {}, "Make a table and send your friend a link. No accounts."),
  watchable(told.tables), told.uploads ? uploadForm((game) => form(game)) : "",
  ...[...families].map(([family, games]) => html("section", {}, html("h2", {}, family), html("ul", { class: "games" }, ...games.map(card)))));

const linked = new URLSearchParams(location.hash.slice(1)).get("game");
if (linked) await form({ name: linked }).catch((error) => lobby.prepend(html("p", { role: "alert" }, error.message)));

function grouped(games) {
  const found = new Map();
  for (const game of games) found.set(game.family, [...(found.get(game.family) ?? []), game]);
  return found;
}

function watchable(tables) {
  if (!tables.length) return "";
  return html("section", {}, html("h2", {}, "Watch"), html("ul", {}, ...tables.map((t) => html("li", {}, html("a", { href: `/table/${t.table}` }, t.title), t.over ? " (over)" : ""))));
}

function card(game) {
  const picture = html("div", { class: "picture", "aria-hidden": "true", inert: "" });
  seen.observe(Object.assign(picture, { game: game.name }));
  return html("li", {}, html("button", { type: "button", onclick: () => form(game) }, picture, html("strong", {}, game.title), html("span", {}, game.about)));
}

async function draw(picture) {
  const { game, position } = await ask(`/api/games/${encodeURIComponent(picture.game)}`);
  const scene = game.scenes.find((one) => one.part === position.scene);
  if (!scene || scene.kind === "none") picture.hidden = true;
  else drawPicture(picture, { scene, picture: position.picture });
}

async function form(game) {
  const data = await ask(`/api/games/${encodeURIComponent(game.name)}`);
  const select = (label, rows) => html("label", {}, `${label} `, html("select", {}, ...rows.map(([text, value]) => html("option", { value }, text))));
  const seatOf = (name) => select(name, told.seats.map((who) => [WHO[who] ?? who, who]));
  const seats = html("div", { class: "seats-wanted" }, ...data.game.players.map(({ name }) => seatOf(name)));
  const options = data.options.map(({ name, value }) => html("label", {}, `${name} `, html("input", { name, value, onchange: () => reseat() })));
  const clock = select("Clock", CLOCKS.map(([text], i) => [text, i]));
  const open = html("label", {}, html("input", { type: "checkbox" }), " anybody in the lobby may watch");
  const fault = html("p", { role: "alert" });
  const value = (label) => label.lastElementChild.value;
  const chosen = () => Object.fromEntries(options.map((label) => [label.lastElementChild.name, value(label)]));
  let reseating = Promise.resolve();
  /** The seats follow the options; whoever was chosen for a seat stays. */
  const reseat = () => {
    reseating = post(`/api/games/${encodeURIComponent(game.name)}`, { options: chosen() }).then(({ players }) => {
      const old = [...seats.children].map(value);
      seats.replaceChildren(...players.map(seatOf));
      [...seats.children].forEach((label, i) => { label.lastElementChild.value = old[i] ?? told.seats[0]; });
      fault.textContent = "";
    }, (error) => { fault.textContent = error.message; });
  };
  const make = async () => {
    await reseating;
    const wanted = {
      game: game.name, seats: [...seats.children].map(value), clock: CLOCKS[Number(value(clock))][1], public: open.firstElementChild.checked,
      options: chosen(),
    };
    try {
      dialog.replaceChildren(close, ...links(data.game.title, await post("/api/tables", wanted)));
    } catch (error) {
      fault.textContent = error.message;
    }
  };
  const dialog = html("dialog", { class: "gamedsl table-form", "aria-label": data.game.title });
  const close = html("button", { type: "button", class: "close", "aria-label": "close", onclick: () => dialog.remove() }, "×");
  dialog.append(close, html("h2", {}, data.game.title), game.about ? html("p", {}, game.about) : "", seats, ...options, clock, open, html("button", { type: "button", class: "make", onclick: make }, "Make a table"), fault); // below the button, which it would move
  document.body.append(dialog);
  dialog.showModal();
}

function links(title, made) {
  const row = (name, { link, qr }) => html("li", {}, html("a", { href: link }, name), html("input", { readonly: "", value: link, "aria-label": `link: ${name}`, onclick: (event) => event.target.select() }), html("img", { src: qr, alt: `QR code: ${name}`, width: 132, height: 132 }));
  return [html("h2", {}, title), html("p", {}, "Take one link and send the others. Whoever has a seat's link plays that seat."),
    html("ul", { class: "links" }, ...made.links.map((link) => row(`Play ${link.name}`, link)), row("Watch", made.watch))];
}
