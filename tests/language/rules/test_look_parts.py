"""Parts of a tuple, taken apart by ``for (a, b) in S``, are named in the texts of ``look``."""

from __future__ import annotations

from pathlib import Path

import gamedsl
from gamedsl.engine.picture.position_view import view

RULES = """players X, O
type suit = {clubs, hearts}
type rank = 1..3
type card = (suit, rank)
state
  last: card?
move lead(k: card)
  when k.suit = hearts and k.rank = 2 "hearts"
  set last to k
play
  X plays lead
  draw
look
  beside "last: {r} of {s}" for (s, r) in {last}
"""


def test_a_line_beside_the_board_names_the_parts(tmp_path: Path) -> None:
    path = tmp_path / "cards.gdl"
    path.write_text(RULES)
    state = gamedsl.load(path).initial_state()
    assert view(state).beside == ()
    (move,) = state.legal_moves()
    assert view(state.apply(move)).beside == ("last: 2 of hearts",)
