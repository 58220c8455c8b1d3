// The gallery of templates: what a new game begins with.

import { Board } from "/static/board.js";
import { fillings } from "/static/pieces.js";
import { button, html, icon, sentence } from "./studio_parts.js";

/** Shows the templates; a new game replaces what is shown. */
export async function showGallery(studio) {
  const answer = await studio.ask({ do: "gallery" });
  const cards = (answer.templates ?? []).map((one) => card(studio, one));
  const where = studio.folder ? `The new game is written into the folder ${studio.folder}.` : "The new game gets a folder of its own, where the studio was started.";
  const body = html("div", { class: "gallery" },
    html("h1", {}, icon(), studio.ruleset ? "Another game" : "What do you begin with?"), html("p", { class: "quiet" }, `Each template is a whole game with examples and claims. ${where}`),
    answer.ok ? "" : html("p", { class: "fault", role: "alert" }, answer.message), fillings(), html("div", { class: "cards" }, ...cards), fromLink(studio));
  if (!studio.ruleset) {
    studio.element.replaceChildren(body);
    return;
  }
  const dialog = html("dialog", { class: "gallery-dialog", "aria-label": "templates", onclose: () => dialog.remove() }, button("×", () => dialog.close(), { class: "round close", "aria-label": "close the gallery" }), body);
  studio.element.append(dialog);
  dialog.showModal();
}

/** A game that somebody shared. */
function fromLink(studio) {
  const fault = html("p", { class: "fault", role: "alert" });
  const field = html("input", { placeholder: "gamedsl:...", "aria-label": "link of a game", autocomplete: "off", spellcheck: "false" });
  const open = async (event) => {
    event.preventDefault();
    const made = await studio.ask({ do: "new", link: field.value });
    if (made.ok) await studio.begin(made);
    else fault.textContent = sentence(made.message);
  };
  return html("form", { class: "from-link", onsubmit: open }, html("h2", {}, "Or open a link"), html("p", { class: "quiet" }, "The panel Share of a studio makes one."), html("div", { class: "tools" }, field, html("button", { type: "submit" }, "Open")), fault);
}

function card(studio, { name, game, position }) {
  const fault = html("p", { class: "fault", role: "alert" });
  const field = html("input", { name: "name", placeholder: "name-of-your-game", "aria-label": `name of the game like ${name}`, autocomplete: "off", spellcheck: "false", maxlength: 60 });
  const begin = async (event) => {
    event.preventDefault();
    const made = await studio.ask({ do: "new", name: field.value.trim() || name, like: name });
    if (made.ok) await studio.begin(made);
    else fault.textContent = sentence(made.message);
  };
  return html("form", { class: "card-of-template", onsubmit: begin },
    html("div", { class: "card-board gamedsl" }, drawn(game, position)), html("h2", {}, name.replaceAll("-", " ")), html("p", { class: "quiet" }, about(game)), field,
    html("button", { type: "submit", class: "main" }, "Begin"), fault);
}

/** What the rulebook says first. */
function about({ rulebook }) {
  const book = html("div");
  book.innerHTML = rulebook; // escaped by whoever made it
  const heading = [...book.querySelectorAll("h3")].find((one) => one.textContent === "About");
  return (heading?.nextElementSibling ?? book.querySelector("p"))?.textContent ?? "";
}

/** The first position; for a game without a board, a card. */
function drawn(game, position) {
  const scene = game.scenes.find(({ part }) => part === position.scene);
  return !scene || scene.kind === "none" ? html("div", { class: "no-board-here" }, "♠ ⚄ ●") : new Board(scene, position.picture, false).element;
}
