// Who plays which seat: a dialog.

import { HUMAN, RANDOM } from "./opponents.js";
import { STRENGTHS } from "./search.js";
import { html } from "./svg.js";

/** Asks who plays. Returns a list by seats, or null. `strong`: whether there are opponents that think. */
export function editPlayers(game, players, strong) {
  const kinds = [HUMAN, RANDOM, ...(strong ? Object.keys(STRENGTHS) : [])];
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
