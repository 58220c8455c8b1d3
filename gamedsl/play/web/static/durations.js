// Times as people say them: "1 day per move", "3 days left".

const [DAY, HOUR, MINUTE] = [86_400, 3600, 60];
const FEW = 3;
const count = (n, what) => `${n} ${what}${n === 1 ? "" : "s"}`;

/** A length of time in its largest unit, and in the next one too where there are few of the first: "5 days", "2 days 5 hours". */
export function duration(seconds) {
  const units = [[DAY, "day"], [HOUR, "hour"], [MINUTE, "minute"], [1, "second"]];
  const at = units.findIndex(([size]) => seconds >= size);
  if (at < 0) return "no time";
  const [size, what] = units[at];
  const n = Math.floor(seconds / size);
  const rest = at < 2 && n <= FEW ? Math.floor((seconds - n * size) / units[at + 1][0]) : 0;
  return count(n, what) + (rest ? ` ${count(rest, units[at + 1][1])}` : "");
}

/** The rule of a clock; empty without one. */
export function ruleText({ kind, base, step }) {
  if (kind === "none") return "";
  if (kind === "move") return `${duration(base)} per move`;
  return step ? `${duration(base)}, and ${duration(step)} more with each move` : `${duration(base)} for the game`;
}
