// The panels beside the board: what is known of the rules, and what can be made of them.

import { paint, seatColour } from "/static/colours.js";
import { button, download, html, menu, sentence, svg, toast } from "./studio_parts.js";

const percent = (x, digits = 1) => `${(100 * x).toFixed(digits)} %`;
const games = (count) => `${count.toLocaleString("en")} random game${count === 1 ? "" : "s"}`;

/** A share with its interval: one that lies to one side of it, as of few games, by its ends. */
function share({ value, low, high }) {
  if (low === null || low === undefined) return percent(value);
  const isAside = Math.abs(high + low - 2 * value) > 0.2 * (high - low);
  return isAside ? `${percent(value)} (${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)})` : `${(100 * value).toFixed(1)} ± ${(50 * (high - low)).toFixed(1)} %`;
}

/** What a line of coverage says, in words. */
export function lineSentence({ mark, times, other, first, kind }, played) {
  const within = `in ${games(played)}`;
  if (mark === "never") return other ? `never true ${within}: it was tested ${other.toLocaleString("en")} times` : `never used ${within}`;
  const since = first === null || first === undefined ? "" : first === 0 ? ", first while the game was set up" : `, first at ply ${first}`;
  if (other === null || other === undefined) return `used ${times.toLocaleString("en")} times ${within}${since}`;
  const word = kind === "guard" || kind === "forbid" ? ["allowed", "refused"] : ["true", "false"];
  return `${word[0]} ${times.toLocaleString("en")} times, ${word[1]} ${other.toLocaleString("en")} times ${within}${since}`;
}

// ------------------------------------------------------------------------------------------------------------- figures

function figures({ figures: found, table, rules }) {
  const { summary, changes, compared_with: comparedWith, isOld, is_done: isDone, failed } = found;
  if (failed) return html("p", { class: "fault" }, sentence(failed));
  if (!summary) return html("p", { class: "quiet" }, rules?.faults?.length ? "Random games begin as soon as the rules have no mistakes." : "Random games are being played ...");
  const { seats, lengths, branching, choices, decisions, plays, unfinished } = summary;
  if (summary.is_begun) {
    return [html("p", { class: "quiet" }, `The first random game has come to ply ${branching ? branching.all_decisions.toLocaleString("en") : "?"}, and goes on ...`),
      branching ? html("dl", { class: "facts" }, html("dt", {}, "Choices at a decision"), html("dd", {}, html("b", {}, branching.mean.toFixed(1)), html("small", {}, `at most ${branching.largest} so far`))) : ""];
  }
  const state = isOld ? "of the text before" : isDone ? "" : "counting ...";
  return [
    html("p", { class: `quiet ${isOld ? "is-old" : ""}` }, `${games(plays)}${state ? `, ${state}` : ""}`),
    balance(seats, table.game?.players ?? []),
    html("dl", { class: "facts" }, ...[
      lengths && ["Length", `${meanOf(lengths.mean)} ${lengths.unit}`, `${lengths.shortest} to ${lengths.longest}`],
      branching && ["Choices at a decision", meanOf(choices), `at most ${branching.largest}, forced ${percent(branching.forced, 0)}`],
      lengths && branching && ["Decisions in a game", meanOf(decisions), ""],
      unfinished && ["Games without an end", unfinished.toLocaleString("en"), ""],
    ].filter(Boolean).flatMap(([name, value, more]) => [html("dt", {}, name), html("dd", {}, html("b", {}, value), more ? html("small", {}, more) : "")])),
    lengths ? histogram(lengths) : "",
    kinds(summary),
    html("h3", {}, "Since the last save"),
    changes?.length ? html("ul", { class: "changes" }, ...changes.map((text) => html("li", {}, text))) : html("p", { class: "quiet" }, comparedWith ?? (changes ? "Nothing that the intervals show." : "Random games of the saved text come next.")),
  ];
}

const meanOf = (estimate) => `${estimate.value.toFixed(1)}${spreadOf(estimate)}`;
const spreadOf = ({ low, high }) => (low === null || low === undefined ? "" : ` ± ${((high - low) / 2).toFixed(high - low < 0.2 ? 2 : 1)}`);

/** The shares of the seats and of draws, as a bar. */
function balance(seats, players) {
  const rows = seats.filter(({ win_share: share }) => share);
  if (!rows.length) return "";
  const draws = rows[0].draw_share;
  const parts = [...rows.map((seat, i) => [seat.player, seat.win_share, paint(seatColour(players, i))[1]]), ...(draws?.value ? [["drawn", draws, "var(--line)"]] : [])];
  const total = parts.reduce((sum, [, won]) => sum + won.value, 0) || 1;
  return html("div", { class: "balance" },
    html("div", { class: "bar", "aria-hidden": "true" }, ...parts.map(([, won, kind]) => html("span", { style: `background: ${kind}; flex-grow: ${Math.max(0.001, won.value / total)}` }))),
    html("ul", {}, ...parts.map(([name, won, kind]) => html("li", {}, html("i", { style: `background: ${kind}` }), html("span", {}, `${name}${name === "drawn" ? "" : " wins"}`), html("b", {}, share(won))))));
}

function histogram({ histogram: bins, unit }) {
  if (!bins?.length) return "";
  const count = (bin) => bin.plays ?? bin.count ?? bin.games ?? 0;
  const most = Math.max(...bins.map(count), 1);
  const width = 300 / bins.length;
  const label = (bin) => (bin.low === bin.high ? `${bin.low}` : `${bin.low} to ${bin.high}`);
  const bars = bins.map((bin, i) => svg("rect", { x: i * width + 1, y: 60 - (58 * count(bin)) / most, width: Math.max(1, width - 2), height: (58 * count(bin)) / most, rx: 1.5 }, svg("title", {}, document.createTextNode(`${label(bin)} ${unit}: ${count(bin).toLocaleString("en")} games`))));
  return html("figure", { class: "histogram" }, svg("svg", { viewBox: "0 0 300 60", preserveAspectRatio: "none", role: "img", "aria-label": "lengths of the games" }, ...bars), html("figcaption", {}, html("span", {}, `${bins[0].low}`), html("span", {}, unit), html("span", {}, `${bins.at(-1).high}`)));
}

function kinds({ kinds: found, never_used: never }) {
  const used = found.filter(({ uses, mistake }) => uses && !mistake).slice(0, 8);
  if (!used.length) return "";
  return [html("h3", {}, "Moves"), html("ul", { class: "kinds" }, ...used.map(({ name, share }) => html("li", {}, html("span", {}, name), html("i", { style: `width: ${Math.max(1, 100 * share)}%` }), html("b", {}, percent(share, 0))))),
    never?.length ? html("p", { class: "warned" }, `Never made: ${never.join(", ")}.`) : ""];
}

// ------------------------------------------------------------------------------------------------------------ examples

function examples(studio) {
  const { examples: found, examples_fault: fault } = studio.figures;
  const make = html("p", { class: "tools" }, button("Make one from the board", () => studio.makeExample(), { class: "main" }), button("Edit", () => studio.screen.showTab("examples")));
  if (fault) return [html("p", { class: "fault" }, sentence(fault)), make];
  if (!found?.length) return [html("p", { class: "quiet" }, "There are no examples yet. Play some moves on the board, and make an example of them: it says what has to hold after these moves, whatever you change later."), make];
  const failing = found.filter(({ passed }) => !passed).length;
  return [
    html("p", { class: failing ? "fault" : "fine" }, failing ? `${failing} of ${found.length} fail` : `All ${found.length} pass`),
    html("ul", { class: "judged" }, ...found.map((one) => exampleItem(studio, one))), make,
  ];
}

function exampleItem(studio, { name, passed, problems, moves, options, line, can_show: canShow }) {
  return html("li", { class: passed ? "is-fine" : "is-bad" },
    html("span", { class: "verdict" }, passed ? "✓" : "✗"),
    html("div", {}, html("span", {}, name), ...problems.map((text) => html("p", { class: "why" }, text))),
    html("span", { class: "tools" }, canShow ? button("Board", () => studio.showGame(moves, options), { "aria-label": `show ${name} on the board` }) : "",
      button("Text", () => { studio.screen.showTab("examples"); studio.examples.goTo(line); }, { "aria-label": `show the text of ${name}` })));
}

// -------------------------------------------------------------------------------------------------------------- claims

const STATUS = { proved: ["✓", "is-fine"], holds: ["✓", "is-so-far"], violated: ["✗", "is-bad"], unknown: ["?", "is-open"], noted: ["i", "is-so-far"] };

function claims(studio) {
  const { verdicts } = studio.figures;
  const add = html("form", { class: "claim-form", onsubmit: (event) => { event.preventDefault(); addClaim(studio, event.target); } },
    html("input", { name: "claim", "aria-label": "a new claim", placeholder: "ends within 9 plies", autocomplete: "off" }), html("button", { type: "submit" }, "Add a claim"));
  if (!verdicts) return [html("p", { class: "quiet" }, studio.rules?.faults?.length ? "Claims are judged once the rules have no mistakes." : "The claims are being judged ..."), add];
  const [own, others] = [verdicts.filter((v) => !v.default), verdicts.filter((v) => v.default)];
  return [
    own.length ? html("ul", { class: "judged" }, ...own.map((one) => claimItem(studio, one))) : html("p", { class: "quiet" }, "These rules claim nothing of their own yet."), add,
    html("h3", {}, "Claimed of every ruleset"), html("ul", { class: "judged" }, ...others.map((one) => claimItem(studio, one))),
    html("p", { class: "quiet" }, "A few seconds of search each time. “Prove” searches for a minute."),
  ];
}

function claimItem(studio, { claim, status, detail, plies, line }) {
  const [sign, kind] = STATUS[status];
  const isOpen = line && (status === "holds" || status === "unknown");
  const prove = isOpen ? button("Prove", () => studio.prove(line), { "aria-label": `prove ${claim}`, title: "search for a minute" }) : "";
  const game = plies?.length ? button("Board", () => studio.showGame(plies), { "aria-label": `show the game of ${claim} on the board`, title: `${plies.length} plies` }) : "";
  return html("li", { class: kind }, html("span", { class: "verdict" }, sign), html("div", {}, html("span", {}, claim), html("p", { class: "why" }, `${status}: ${detail}`)),
    html("span", { class: "tools" }, prove, game, line ? button("Text", () => { studio.screen.showTab("rules"); studio.rules.goTo(line); }, { "aria-label": `show the text of ${claim}` }) : ""));
}

function addClaim(studio, form) {
  const text = form.elements.claim.value.trim().replace(/^claim\s+/, "");
  if (!text) return;
  const { editor } = { editor: studio.rules };
  const rows = editor.text.split("\n");
  const last = rows.findLastIndex((row) => row.startsWith("claim "));
  const after = last >= 0 ? last : rows.findIndex((row) => /^(look|info)\b/.test(row)) - 1;
  const added = after >= 0 ? [...rows.slice(0, after + 1), `claim ${text}`, ...(last >= 0 ? [] : [""]), ...rows.slice(after + 1)] : [...rows, "", `claim ${text}`];
  editor.replace(added.join("\n"));
  form.reset();
  form.elements.claim.blur();
}

// ---------------------------------------------------------------------------------------------------------------- look

const SHOWN = /^(?<head>\s+show\s+.+?\s+as\s+)"(?<sign>(?:[^"\\]|\\.)*)"(?:\s+(?<color>[a-z]+))?(?:\s+shaped\s+(?<shape>\w+))?(?<rest>.*)$/;
const TINTED = /^(?<head>\s+tint\s+.+?\s+as\s+)(?<color>[a-z]+)(?<rest>.*)$/;

function look(studio) {
  const { colors, shapes } = studio.words;
  const rows = studio.rules.text.split("\n");
  const start = rows.findIndex((row) => /^look\b/.test(row));
  const items = rows.map((row, number) => [number, start >= 0 && number > start ? lookLine(row, colors, shapes) : null]).filter(([, found]) => found);
  if (!items.length) return [html("p", { class: "quiet" }, "These rules have no `look` section yet. Pieces are shown by letters until they have one."), button("Write a look", () => writeLook(studio))];
  const put = (number, more) => {
    const now = studio.rules.text.split("\n");
    const parts = lookLine(now[number] ?? "", colors, shapes); // as it is now
    if (parts) now[number] = written({ ...parts, ...more });
    studio.rules.replace(now.join("\n"));
    studio.screen.refreshPanel();
  };
  return [html("p", { class: "quiet" }, "Every change is written into the text, and shown on the board."), ...items.map(([number, parts]) => lookItem(number, parts, colors, shapes, (more) => put(number, more)))];
}

/** A line of the look in its parts; null for one of another kind. A word that is no color belongs to the rest. */
function lookLine(row, colors, shapes) {
  const found = SHOWN.exec(row)?.groups ?? TINTED.exec(row)?.groups;
  if (!found) return null;
  const { head, sign, color = "", shape = "", rest } = found;
  if ((color && !colors.includes(color)) || (shape && !shapes.includes(shape))) return null;
  return { head, sign, color, shape, rest };
}

const written = ({ head, sign, color, shape, rest }) => `${head}${[sign === undefined ? "" : `"${sign}"`, color, shape ? `shaped ${shape}` : ""].filter(Boolean).join(" ")}${rest}`;

function lookItem(number, parts, colors, shapes, put) {
  const name = parts.head.trim().replace(/^(show|tint)\s+/, "").replace(/\s+as$/, "");
  const swatches = colors.map((color) => html("button", { type: "button", class: `swatch-button tint-${color}`, "aria-label": `${name}: ${color}`, title: color, "aria-pressed": String(parts.color === color), onclick: () => put({ color: parts.color === color && parts.sign !== undefined ? "" : color }) }));
  const sign = parts.sign === undefined ? "" : html("input", { class: "sign-field", value: parts.sign, "aria-label": `sign of ${name}`, maxlength: 8, onchange: (event) => put({ sign: event.target.value.replaceAll(/["\\]/g, "") }) });
  const shape = parts.sign === undefined ? "" : menu("", { "": "usual shape", ...Object.fromEntries(shapes.map((word) => [word, word])) }, parts.shape, (word) => put({ shape: word }), { "aria-label": `shape of ${name}` });
  return html("div", { class: "look-line" }, html("code", {}, name), html("div", { class: "tools" }, sign, shape), html("div", { class: "swatches" }, ...swatches));
}

function writeLook(studio) {
  const kinds = [...studio.rules.text.matchAll(/^piece\s+(\w+)(\s+of\s+player)?/gm)];
  const seats = studio.table.game?.players.map(({ name }) => name) ?? [];
  const lines = kinds.flatMap(([, kind, own]) => (own ? seats.map((seat) => `  show ${kind}[${seat}] as "${seat[0].toUpperCase()}"`) : [`  show ${kind} as "${kind[0].toUpperCase()}"`]));
  studio.rules.append(`\nlook\n${lines.join("\n") || "  cells unnamed"}\n`);
}

// ---------------------------------------------------------------------------------------- rulebook, clauses, share, saves

function rulebook({ table }) {
  const book = html("div", { class: "rulebook" });
  book.innerHTML = table.game?.rulebook || "<p class=quiet>The section info of the text makes the rulebook: about, goal, setup, turn, rule.</p>"; // escaped by whoever made it
  return book;
}

/** The clauses of the document that the rules follow, with the lines that cite them. */
function clauses(studio) {
  const rows = studio.rules.text.split("\n");
  const citing = (number) => rows.map((row, i) => (row.split("#")[0].split("@").slice(1).some((one) => one.trim() === number) ? i + 1 : 0)).filter(Boolean);
  return html("ul", { class: "judged" }, ...studio.table.game.clauses.map(([number, text]) => {
    const lines = citing(number);
    return html("li", { class: lines.length ? "is-fine" : "is-open" }, html("span", { class: "verdict" }, lines.length ? "✓" : "?"), html("div", {}, html("b", {}, number), " ", text, lines.length ? "" : html("p", { class: "why" }, "no line cites it")),
      html("span", { class: "tools" }, ...lines.slice(0, 4).map((line) => button(`${line}`, () => { studio.screen.showTab("rules"); studio.rules.goTo(line); }, { "aria-label": `line ${line}, which cites ${number}` }))));
  }));
}

function sharing(studio) {
  const name = studio.ruleset.replace(/\.gdl$/, "");
  const said = html("p", { class: "quiet", role: "status" });
  const link = html("p", { class: "link", role: "status" });
  const makeLink = async () => {
    const answer = await studio.ask({ do: "link", file: studio.ruleset });
    if (!answer.ok) {
      link.replaceChildren(html("span", { class: "fault" }, sentence(answer.message)));
      return;
    }
    const field = html("input", { readonly: true, value: answer.link, "aria-label": "link of the game", onfocus: () => field.select() });
    link.replaceChildren(field, button("Copy it", () => copy(answer.link, "The link")), html("span", { class: "quiet of-this-text" }, `${answer.link.length.toLocaleString("en")} characters, with ${answer.files.join(", ")}`));
  };
  const make = async () => {
    said.textContent = "The rules are compiled ...";
    const answer = await studio.ask(studio.table.request({ do: "export", plies: [] }));
    said.textContent = answer.ok ? `${name}.html, ${Math.round(answer.page.length / 1000).toLocaleString("en")} kB.` : sentence(answer.message);
    if (answer.ok) download(`${name}.html`, answer.page, "text/html");
  };
  const copy = async (text, what) => {
    try {
      await navigator.clipboard.writeText(text);
      toast(studio.element, `${what} is on the clipboard.`);
    } catch {
      toast(studio.element, "This browser does not let the page use the clipboard.", true);
    }
  };
  return [
    html("h3", {}, "The game as one file"), html("p", {}, "It plays in every browser, against people or the program, without a network."), button("Download the page", make, { class: "main" }), said,
    html("h3", {}, "A link"), html("p", {}, "It holds the rules and the examples as they are here. Whoever has gamedsl opens it with ", html("code", {}, "gamedsl studio 'LINK'"), ", or in the gallery of their studio."),
    html("div", { class: "tools" }, button("Make a link", makeLink)), link,
    html("h3", {}, "The text"), html("div", { class: "tools" }, button("Download the rules", () => download(studio.ruleset, studio.rules.text, "text/plain")), button("Copy the rules", () => copy(studio.rules.text, "The text"))),
    html("h3", {}, "The game on the board"), html("div", { class: "tools" }, button("Copy its record", async () => copy(await studio.table.record(), "The record"))),
  ];
}

function saves(studio) {
  const list = html("ol", { class: "saves" });
  const file = studio.screen.tab === "examples" ? studio.examples : studio.rules;
  studio.ask({ do: "saves", file: file.name }).then(({ ok, message, saves: found }) => {
    const why = ok ? "Nothing has been saved here yet." : sentence(message);
    list.replaceChildren(...(found?.length ? found.map((when) => saveItem(studio, file, when)) : [html("li", { class: "quiet" }, why)]));
  });
  return [html("p", { class: "quiet" }, `The last saves of ${file.name}. To go back to one changes the text, and saves nothing.`), list];
}

function saveItem(studio, file, when) {
  const back = async () => {
    const answer = await studio.ask({ do: "saved", file: file.name, when });
    if (!answer.ok) toast(studio.element, sentence(answer.message), true);
    else file.replace(answer.text);
  };
  const label = new Date(when).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "medium" });
  return html("li", {}, html("span", {}, label), button("Go back to it", back, { "aria-label": `go back to ${label}` }));
}

/** `isCounted`: made of the figures, and shown anew with them; `isText`: of the text; `isForm`: not while something is typed into it; `isAsked`: of the server, and shown anew when it is back; `isMade`: when its buttons are pressed, so it stays with a new board. */
export const PANELS = {
  figures: { title: "Figures", show: figures, isCounted: true },
  examples: { title: "Examples", show: examples, isCounted: true },
  claims: { title: "Claims", show: claims, isForm: true, isCounted: true },
  look: { title: "Look", show: look, isText: true },
  rulebook: { title: "Rulebook", show: rulebook },
  clauses: { title: "Clauses", show: clauses, isThere: ({ table }) => table.game?.clauses.length > 0 },
  share: { title: "Share", show: sharing, isForm: true, isMade: true },
  history: { title: "Saves", show: saves, isForm: true, isAsked: true, isMade: true },
};
