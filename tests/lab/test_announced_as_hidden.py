"""`verify` lists what is announced as hidden, with the line that makes it so."""

from __future__ import annotations

from pathlib import Path

import gamedsl
from gamedsl.lab.claims import hidden_announcements

RULES = """game "Calls"
players one, two
state
  pile: player -> stack of bool up to 3, seen by owner
  luck: player -> 0..2, seen by owner
  called: 0..3
move lay(d: bool seen by owner) written "lay {d}"
  push d on pile[me]
move try(n: 1..2) written "try {n}"
  set luck[me] to n
  set called to 3
move call(n: 1..3) written "call {n}"
  set called to n
play
  turns from one, 6 times
    me plays lay | try | call
  draw
"""


def test_each_kind_of_move_once(tmp_path: Path) -> None:
    path = tmp_path / "calls.gdl"
    path.write_text(RULES, encoding="utf-8")
    found = {(one.name, one.told, one.place.line) for one in hidden_announcements(gamedsl.load(path).initial_state())}
    # (that somebody has moved is seen; `try 1` and `call 3` look the same)
    assert found == {("lay", "lay (hidden)", 7), ("try", "(hidden)", 10), ("call", "(hidden)", 12)}


def test_nothing_where_nothing_is_hidden() -> None:
    assert hidden_announcements(gamedsl.load("tic-tac-toe").initial_state()) == []
