"""Texts of moves and reasons against them, for small rulesets written here."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.engine.errors import RulesError

from .play import game

CALLED_PASS = """
game "Called pass"
players A, B
board grid 2 by 2
state
  left: 0..3 = 3
  stones: set of cell
play
  turns from A until left = 0
    me plays stay | go
  draw
move stay written "pass"
  add -1 to left
move go(c: cell) written "{c}"
  when row(c) = 1 "not there"
  add -1 to left
"""


def test_a_move_may_be_called_pass_where_nobody_can_pass(tmp_path: Path) -> None:
    of = game(tmp_path, CALLED_PASS)
    first = of.initial_state()
    assert [str(m) for m in first.legal_moves()] == ["pass", "a1", "b1"]
    assert of.parse_move("pass", first) == first.legal_moves()[0]


def test_a_guard_that_goes_wrong_is_no_legal_move(tmp_path: Path) -> None:
    """`legal_moves` raises the rules error; so does the question why, which said that nothing speaks against the move."""
    of = game(tmp_path, CALLED_PASS.replace("row(c) = 1", "row(the(stones)) = row(c)"))
    first = of.initial_state()
    with pytest.raises(RulesError, match="empty"):
        first.legal_moves()
    with pytest.raises(RulesError, match="empty"):
        first.why_not(of.parse_move("a1", first))
