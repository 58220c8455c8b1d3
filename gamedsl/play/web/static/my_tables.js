// The tables of the person with this browser: kept here, with the keys of their seats, so that a lost link is found again.

import { keep, readKept } from "./kept.js";

const KEY = "gamedsl tables";
const MOST = 100; // tables that are kept
const ASKED = 40; // of which the server is asked, the newest first

/** `table`, `key`, `title`, `role`, and for those that were made here `links` and `watch`; the newest first. */
export function myTables() {
  const kept = readKept(KEY, []);
  return Array.isArray(kept) ? kept.filter((one) => /^[\w-]{12,20}$/.test(one?.table) && /^[\w-]{0,100}$/.test(one?.key ?? "")) : [];
}

/** Keeps a table, in the place of what is known about it; a key stays where none is given. */
export function noteTable(one) {
  const [old, others] = [myTables().find(({ table }) => table === one.table), myTables().filter(({ table }) => table !== one.table)];
  keep(KEY, [{ ...old, ...one }, ...others].slice(0, MOST));
}

export function forgetTable(table) {
  keep(KEY, myTables().filter((one) => one.table !== table));
}

/** The tables with what the server says about each. Where one has no seat yet, the first link that was made stands for it. */
export async function askMine() {
  const mine = myTables().slice(0, ASKED);
  const seats = mine.map(({ table, key, links }) => ({ table, key: key || links?.[0]?.link.split("#")[1] || "" }));
  const answer = await fetch("/api/mine", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ seats }) });
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message);
  return mine.map((one, i) => ({ ...one, ...told.tables[i], isSeated: Boolean(one.key) }));
}

export const addressOf = ({ table, key }) => `/table/${table}${key ? `#${key}` : ""}`;
