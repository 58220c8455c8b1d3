// The page of a game that is one file: what it begins with. Its elements hold data, packed by gzip and written in base 64.

import { followLink } from "./exploration_link.js";
import { openLocalTable } from "./local_table.js";
import { mount } from "./page.js";

async function unpacked(id) {
  const bytes = Uint8Array.from(atob(JSON.parse(document.getElementById(id).textContent)), (c) => c.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

const json = async (id) => JSON.parse(new TextDecoder().decode(await unpacked(id)));

export const open = (element) => openWith(element, null);

/** Opens the table of the file, and shows it. `Log`: what determines what a seat is told, where the rules hide something. */
export async function openWith(element, Log) {
  try {
    const { players, facts, start } = await json("facts");
    const worker = new TextDecoder().decode(await unpacked("worker"));
    const table = await openLocalTable({ code: await unpacked("code"), facts, worker, players, Log });
    const page = mount(element, table);
    if (start) await table.load(start);
    await followLink(page, table);
    return page;
  } catch (error) {
    element.textContent = `This browser cannot open the game: ${error.message}`;
    element.setAttribute("role", "alert");
    throw error;
  }
}
