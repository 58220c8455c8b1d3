"""Every legal move of every shipped ruleset can be made by touching the places it names, and by answering questions."""

from __future__ import annotations

from typing import Any

import pytest

import gamedsl
from gamedsl.play.web import describe_game, describe_position
from tests.shipped_sample import sampled

from .browser import needs_browser
from .test_positions import NAMES, states

needs_browser()


# The texts of the actions that can't be made. A person touches, of the places that can be touched next, those of the move;
# then the same place again if more could come; questions lead to one action each.
UNREACHED = """async ([game, position]) => {
  const { optionsOf, Selection, nextQuestion } = await import("/selection.js");
  const scene = game.scenes.find((s) => s.part === position.scene);
  const drawn = (id) => { const [domain, index] = id.split(":");
    return domain === "space" || (scene.places[domain]?.at[index] !== undefined); };
  const options = optionsOf(game, position.turn.actions, drawn);
  const asks = (list, wanted) => {
    for (let round = 0; round < 20; round += 1) {
      if (list.length === 1) return list[0].number === wanted;
      const next = nextQuestion(game, list).choices.find((c) => c.options.some((o) => o.number === wanted));
      if (!next || next.options.length === list.length) return false;
      list = next.options;
    }
    return false;
  };
  const reaches = (option) => {
    if (!option.groups.length) return asks(options.filter((o) => !o.groups.length), option.number);
    let now = new Selection(options);
    for (let touches = 0; touches < 40; touches += 1) {
      if (now.decided) return now.decided.number === option.number;
      if (now.ambiguous.length) return asks(now.ambiguous, option.number);
      const here = now.touched.length ? now.live.find((o) => o.number === option.number) : option;
      if (!here) return false;
      const ahead = here.at + 1 < here.groups.length ? here.groups[here.at + 1] : [];
      const places = now.touched.length ? [...ahead, ...here.groups.flat()].filter((p) => now.targets.has(p)) : option.groups[0];
      now = now.touch(places[0] ?? now.touched.at(-1));
      if (!now) return false;
    }
    return false;
  };
  return options.filter((o) => !reaches(o)).map((o) => o.text);
}"""


@pytest.mark.parametrize("name", sampled(NAMES, "touches"))
def test_every_move_can_be_touched(blank: Any, name: str) -> None:
    game = gamedsl.load(name)
    told = describe_game(game)
    for state in states(game, 8, positions=4):
        for seat in () if state.is_terminal else state.to_act:
            position = describe_position(state, seat)
            assert blank.evaluate(UNREACHED, [told, position]) == [], position["turn"]["actions"][:3]
