"""The page says the same as the terminal: the sentences of ``static/instruction.js`` are those of ``sentence.py``."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.play.guidance import IN_THE_PAGE, Choice, instruction, words_of_kinds
from gamedsl.play.web import describe_game, describe_position
from tests.shipped_sample import sampled, small

from .browser import needs_browser
from .test_positions import NAMES, states

needs_browser()


# What the page says at first, and after up to three touches for some of the moves.
SENTENCES = """async ([game, position]) => {
  const { optionsOf, Selection } = await import("/selection.js");
  const { instruction } = await import("/instruction.js");
  const scene = game.scenes.find((s) => s.part === position.scene);
  const drawn = (id) => { const [domain, index] = id.split(":");
    return domain === "space" || (scene.places[domain]?.at[index] !== undefined); };
  const options = optionsOf(game, position.turn.actions, drawn);
  const plain = (o) => ({ kind: o.kind, text: o.text, params: o.params, groups: o.groups, at: o.at });
  const found = [{ said: instruction(game, options), choices: options.map(plain), touched: [], place: "", several: false }];
  const touchable = options.filter((o) => o.groups.length);
  for (const wanted of touchable.filter((_, i) => i % Math.ceil(touchable.length / 4) === 0)) {
    let now = new Selection(options);
    for (let touches = 0; touches < 3 && now && !now.decided; touches += 1) {
      const here = now.touched.length ? now.live.find((o) => o.number === wanted.number) : wanted;
      const next = here && (now.touched.length ? here.groups.flat().find((p) => now.targets.has(p)) : wanted.groups[0][0]);
      now = next ? now.touch(next) : null;
      if (!now) break;
      const several = now.ambiguous.length > 0;
      const said = instruction(game, now.live, now.touched, now.touched.at(-1), several);
      found.push({ said, choices: now.live.map(plain), touched: now.touched, place: now.touched.at(-1), several });
    }
  }
  return found;
}"""


@pytest.mark.parametrize("name", sampled(NAMES, "instruction"))
def test_the_page_and_the_terminal_say_the_same(blank: Any, name: str) -> None:
    game = gamedsl.load(name, **small(name))
    kinds, described = words_of_kinds(game), describe_game(game)
    for state in states(game, 8, positions=4):
        for seat in () if state.is_terminal or state.kind == "drawing" else state.to_act:
            position = describe_position(state, seat)
            for stage in blank.evaluate(SENTENCES, [described, position]):
                choices = [
                    Choice(c["kind"], c["text"], (*c["params"],), tuple(frozenset(g) for g in c["groups"]), c["at"])
                    for c in stage["choices"]
                ]
                expected = instruction(kinds, choices, IN_THE_PAGE, stage["touched"], stage["place"], stage["several"])
                assert stage["said"] == expected
