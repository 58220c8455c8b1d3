// The things and piles that a move names by its values.

export const thingKey = (thing, index) => `thing:${thing}:${index}`;
export const placeKey = (holding, slot) => `pile:${holding}:${slot}`;

/** The keys of what a move names. */
export function namesOf(game, { kind, values }) {
  return game.kinds[kind].things.map(({ thing, pile, params }) => {
    if (pile !== undefined) return placeKey(pile, values[params[0]]);
    if (params.length === 1) return thingKey(thing, values[params[0]]);
    const [[, first], [, second]] = game.things[thing].parts;
    return thingKey(thing, first.findIndex((one, i) => one === values[params[0]] && second[i] === values[params[1]]));
  });
}

/** The thing that a move consists of, where it names nothing else: `{thing, index}`; else null. */
export function only(game, option) {
  const { things, parameters } = game.kinds[option.kind];
  const found = things.find(({ thing, params }) => thing !== undefined && params.length === parameters.length);
  return found ? { thing: game.things[found.thing], index: Number(namesOf(game, option)[things.indexOf(found)].split(":")[2]) } : null;
}
