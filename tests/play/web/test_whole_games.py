"""Every shipped ruleset is played to its end by somebody who only reads the sentence and looks at the board."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl

from .browser import SIZES, give_back, needs_browser, open_page
from .dev_table import DevTable
from .person import Person
from .whole_games import ENDED, LONG, NAMES, is_long, play_whole, rows

needs_browser()

QUICK = {"tic-tac-toe": "phone"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_the_sentence_leads_to_the_end(chrome: Any, name: str, size: str) -> None:
    if QUICK.get(name, size) != size:
        pytest.skip("the other size of this game is in the long run")
    played, log = play_whole(chrome, name, size)
    assert played.result == ENDED, "\n".join(log[-20:])


def test_the_log_has_every_ruleset_in_both_sizes_and_every_game_ended() -> None:
    """Whole, but for those whose random games are long; a person needs at least an action for a ply."""
    found = rows()
    assert set(found) == {(name, size) for name in NAMES for size in SIZES}
    assert {key for key, one in found.items() if one.result != ENDED} == set()
    for (name, _), one in found.items():
        assert one.how == "whole" or (is_long(name) and one.plies >= LONG)
        assert one.actions >= one.plies and one.most <= one.actions


# Only the lowest of fourteen piles has cards that may be taken: at 390 pixels more than a screen below the first.
TALL = """game "Tall"

players one, two

type lane = 1..14
type kind = {a, b, c}
type card = (lane, kind)

state
  pile: lane -> set of card

move take_card(c: card) written "{c}"
  when c in pile[14] "that card cannot be taken"
  take c from pile[14]

play
  for l in lane
    set pile[l] to {(l, k) for k in kind}
  turns from one
    me plays take_card
      stuck
        draw
"""


def test_a_table_taller_than_the_screen_is_seen_whole(chrome: Any, tmp_path: Path) -> None:
    (tmp_path / "tall.gdl").write_text(TALL, encoding="utf-8")
    page = open_page(chrome, DevTable(gamedsl.load(tmp_path / "tall.gdl")), "phone")
    person = Person(page, Random(1), touches=True)
    person.play()
    assert len(person.counts) == 3 and not page.faults
    give_back(page)
