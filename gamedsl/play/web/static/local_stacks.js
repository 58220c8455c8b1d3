// What lies in stacks on a board, below what stands on top. The meaning is that of gamedsl/engine/picture/board_stacks.py.

import { slots } from "./local_defaults.js";
import { shown } from "./questions.js";

/** Adds to the spots of a look what lies below them. `unset`: the variables without a value. */
export function markStacks(view, part, unset, result) {
  for (const stack of part.stacks) {
    if (unset.includes(stack.variable)) continue;
    const variable = part.variables.find(({ index }) => index === stack.variable);
    for (const { slot, locals } of slots(view, variable)) {
      const signs = (shown(() => lying(view, variable, locals)) ?? []).map((code) => stack.signs[code - stack.low]);
      if (signs.length) putStack(result.spot(stack.on, slot), signs, stack.top, part.players);
    }
  }
}

/** What the look shows of the top has its owner and its name, if the look does not say them. */
function putStack(spot, signs, hasTop, players) {
  const top = hasTop ? signs.pop() : null;
  for (const glyph of top && top.owner !== null ? spot.glyphs : []) {
    if (glyph.owner || glyph.scar || glyph.text !== top.text || glyph.colour !== top.colour) continue;
    Object.assign(glyph, { owner: players[top.owner], piece: glyph.piece || top.piece });
  }
  if (signs.length) spot.below = signs;
}

const lying = (view, variable, locals) => Array.from({ length: view.value(variable.height, locals) }, (_, i) => view.value(variable.item, { ...locals, [variable.level]: i + 1 }));
