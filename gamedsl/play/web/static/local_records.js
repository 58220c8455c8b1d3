// Records of plays as text: a list of moves that `gamedsl replay` reads, and what it writes.

const HEAD = /^(gamedsl record|game|rules|options|seed|seats|seat|position|end)\b/;
const IGNORED = /^(#|refused\b|redraw\b)/;

/** `plies`: `{who, text}` each. */
export function recordText(game, plies) {
  const options = Object.entries(game.options).map(([name, value]) => ` ${name}=${value}`).join("");
  const lines = plies.map(({ who, text }, i) => `${i + 1}. ${who}: ${text}`);
  return [`# ${game.name}${options}`, ...lines, ""].join("\n");
}

/** The plies of a record: `text` and the number of its `line`. */
export function readRecord(text) {
  const found = [];
  text.split("\n").forEach((raw, i) => {
    const line = raw.replace(/ ~[0-9a-f]+\s*$/, "").trim();
    if (!line || IGNORED.test(line) || (HEAD.test(line) && !/^\d+\./.test(line))) return;
    found.push({ text: line.replace(/^\d+\.\s*/, "").replace(/^[^:]+:\s+/, ""), line: i + 1 });
  });
  return found;
}
