// Beside the board: the players with what is theirs, what chance brought, other lines, the legend, the table's tools.

import { called } from "./called.js";
import { timeText } from "./clock.js";
import { seatColour } from "./colours.js";
import { disc, piece } from "./pieces.js";
import { reserveOf, reserveView } from "./reserves.js";
import { legend } from "./legend.js";
import { html, svg } from "./svg.js";
import { lineItem, without } from "./panel_lines.js";
import { chanceView } from "./things.js";

/** Whose move it is, or how it ended. */
export function statusLine(page) {
  const { position, notice, names: chosen } = page.update;
  const { turn, picture } = position;
  const names = turn.to_act.map((seat) => called(page.game, chosen, seat));
  const phase = turn.outcome ? "" : [picture.subtitle, picture.phase].filter(Boolean).join(": ");
  const text = turn.outcome ? turn.outcome.text : turn.kind === "chance" ? "chance decides" : turn.kind === "together" ? `${names.join(" and ")} choose in secret` : `${names.join(" and ")} ${turn.kind === "drawing" ? "draws" : "to move"}`;
  return [html("strong", { class: turn.outcome ? "over" : "" }, text), phase ? html("span", { class: "phase" }, phase) : "", notice ? html("span", { class: "notice" }, notice) : ""];
}

export function panel(page) {
  const { picture } = page.update.position;
  const isAlone = page.scene.kind === "none"; // then the lines are on the felt
  const others = isAlone ? [] : picture.beside.filter((line) => line.seat === null && !line.held);
  return [
    html("ul", { class: "seats" }, ...picture.seats.map((seat, i) => seatView(page, seat, i))),
    ...(isAlone ? [] : picture.fallen.map((one) => chanceView(page.game, one))),
    ...besideBoard(page, others),
    picture.bubbles.length ? html("p", { class: "bubbles" }, picture.bubbles.join(" · ")) : "",
    tools(page),
    legend(page.update.position.picture, page.scene),
  ];
}

function seatView(page, seat, index) {
  const { clocks, position, names } = page.update;
  const players = page.game.players;
  const role = page.scene.players.findIndex((p) => seat.roles.includes(p.name));
  const coloured = role >= 0 && page.scene.players[role].colour;
  const word = coloured || seatColour(players, index);
  const own = page.table.you ?? page.table.seats;
  const mine = own.includes(index) && own.length < players.length ? " (you)" : "";
  const dot = svg("svg", { class: "seat-disc", viewBox: "-50 -50 100 100", "aria-hidden": "true" }, disc(word, seat.mark ?? "", coloured || players[index].colour || seat.mark ? null : index));
  const ownLines = page.scene.kind === "none" ? [] : position.picture.beside.filter((line) => line.seat === index && !line.held);
  const lines = ownLines.filter((line) => !reserveOf(page, line)).map((line) => lineItem(page, line, without(line.label, seat.name)));
  const reserve = reserveView(page, ownLines, seat.name);
  const taken = takenView(page, [seat.name, ...seat.roles]);
  const clock = clocks?.[index] ? html("span", { class: `clock${clocks[index].running ? " running" : ""}`, "data-seat": index, title: "time left" }, timeText(clocks[index].left)) : "";
  const roles = [...seat.roles, names?.[index] ? "" : seat.played_by].filter(Boolean).join(", ");
  return html("li", { class: seat.acts ? "acts" : "" }, dot,
    html("span", { class: "seat-name" }, names?.[index] ? [html("bdi", { class: "person" }, names[index]), " "] : "", seat.name, mine, roles ? html("small", {}, ` ${roles}`) : "", seat.acts ? html("span", { class: "visually-hidden" }, ", to act") : ""), clock,
    lines.length || reserve.length || taken.length ? html("ul", {}, ...reserve, ...lines, ...taken) : "");
}

const FEW_TEXTS = 4; // more are folded, unless they count something

/** The lines of nobody. A long list of texts is for those who want to read it: a picture says the same. */
function besideBoard(page, lines) {
  const texts = lines.filter(({ values }) => !values.length);
  const folded = texts.length > FEW_TEXTS ? texts : [];
  const shown = lines.filter((line) => !folded.includes(line));
  const list = (all) => html("ul", { class: "beside", tabindex: "0", "aria-label": "beside the board" }, ...all.map((line) => lineItem(page, line, line.label)));
  if (!folded.length) return [shown.length ? list(shown) : ""];
  const more = html("details", { class: "more-lines", open: page.showsMoreLines }, html("summary", {}, `${folded.length} more lines`), list(folded));
  more.addEventListener("toggle", () => { page.showsMoreLines = more.open; });
  return [shown.length ? list(shown) : "", more];
}

const MOST_SHOWN = 8; // pieces of a kind; more are counted

/** The pieces that a player has taken, as they look on the board. */
function takenView(page, names) {
  const { taken = [] } = page.update.position.picture;
  const own = taken.filter(({ by }) => names.includes(page.scene.players[by]?.name));
  if (!own.length) return [];
  const one = (glyph) => svg("svg", { viewBox: "-50 -50 100 100" }, piece({ ...glyph, number: null }, page.scene));
  const pieces = own.map(({ glyph, count }) => html("span", { class: "row", role: "img", "aria-label": `${count} ${[page.scene.players[glyph.owner]?.name, glyph.piece || glyph.text].filter(Boolean).join(" ")}` },
    ...Array.from({ length: count > MOST_SHOWN ? 1 : count }, () => one(glyph)), count > MOST_SHOWN ? html("b", {}, `× ${count}`) : ""));
  return [html("li", { class: "taken" }, html("span", { class: "label" }, "taken: "), ...pieces)];
}

function tools(page) {
  const buttons = (page.table.tools ?? []).map(({ label, run }) => html("button", { type: "button", onclick: async () => { const done = await run(); if (done?.say) page.speech.answer(label, page.marks.shown(done.say)); } }, label));
  return html("div", { class: "tools" }, ...buttons);
}
