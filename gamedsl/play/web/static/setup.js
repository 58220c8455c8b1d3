// Dialogs: who plays which seat, and the marks of the players.

import { HUMAN, RANDOM } from "./opponents.js";
import { composed } from "./marks.js";
import { html } from "./svg.js";

/** Asks who plays. Returns a list by seats, or null. `levels`: the names of opponents that think. */
export function editPlayers(game, players, levels) {
  const kinds = [HUMAN, RANDOM, ...levels];
  const choices = game.players.map(({ name }, seat) => {
    const select = html("select", { "aria-label": name }, ...kinds.map((kind) => html("option", kind === players[seat] ? { value: kind, selected: "" } : { value: kind }, kind)));
    return html("label", { class: "setup" }, html("span", {}, name), select);
  });
  return new Promise((done) => {
    const finish = (answer) => {
      dialog.remove();
      done(answer);
    };
    const chosen = () => choices.map((label) => label.querySelector("select").value);
    const dialog = html("dialog", { "aria-label": "players", oncancel: () => finish(null) }, html("h2", {}, "Players"), ...choices, html("div", { class: "tools" },
      html("button", { type: "button", onclick: () => finish(chosen()) }, "Play"), html("button", { type: "button", onclick: () => finish(null) }, "Cancel")));
    document.querySelector(".gamedsl").append(dialog);
    dialog.showModal();
  });
}

/** Asks for the marks of some seats. Returns a list for all seats (empty: the usual sign), or null. `fault` says why seats cannot
 *  have these marks, or null. */
export function editMarks(game, seats, marks, fault) {
  const usual = game.marks.parts[0].part === 0 ? game.marks.parts[0].signs : [];
  const fields = seats.map((seat) => {
    const { name } = game.players[seat];
    const field = html("input", { type: "text", "aria-label": `mark of ${name}`, value: marks[seat] ?? "", placeholder: usual[seat] ?? "", maxlength: 8, autocomplete: "off", spellcheck: "false" });
    return html("label", { class: "setup" }, html("span", {}, name), field);
  });
  const wrong = html("p", { class: "fault", role: "alert" });
  return new Promise((done) => {
    const finish = (answer) => {
      dialog.remove();
      done(answer);
    };
    const chosen = () => game.players.map((_, seat) => (seats.includes(seat) ? composed(fields[seats.indexOf(seat)].querySelector("input").value) : marks[seat] ?? ""));
    const take = async (event) => {
      event.preventDefault();
      const found = await fault(chosen());
      if (found === null) finish(chosen());
      else wrong.textContent = `${found[0].toUpperCase()}${found.slice(1)}.`;
    };
    const form = html("form", { onsubmit: take }, html("h2", {}, "Marks"), html("p", {}, "Any sign, as long as no two look alike. An empty field keeps the usual one."), ...fields, wrong, html("div", { class: "tools" },
      html("button", { type: "submit" }, "Take"), html("button", { type: "button", onclick: () => finish(null) }, "Cancel")));
    const dialog = html("dialog", { "aria-label": "marks", oncancel: () => finish(null) }, form);
    document.querySelector(".gamedsl").append(dialog);
    dialog.showModal();
  });
}
