"""Small forms of expressions and statements: distinct names, open operands, joined ranges, sets of what may be none."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.engine.state import State
from gamedsl.language.rules import check_file
from tests.values import codes_named

from .play import after, game, texts

HEAD = """
game "T"
players A, B
type animal = {hare, frog, heron}
board grid 3 by 3 named by letters from bottom
piece man of player
piece rock
"""
CHOICE = """
play
  put man[A] on {a1, b1, a2}
  put rock on c3
  turns from A
    me plays pick
    if turn > 3
      draw
"""


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("x = count distinct c, d in man[A]: yes", [6]),  # ordered pairs of three cells
        ("x = count distinct c, d in man[A]: aligned(c, d)", [4]),  # a1 with b1 and with a2, both ways round
        ("some distinct c, d, e in man[A]: number(c) = x", [1, 2, 4]),
        ("no distinct c, d, e, f in man[A]: yes", list(range(1, 10))),
        ("x = 2 + count c in man[A]: yes", [5]),
        ("x = 2 * sum of row(c) for c in man[A]", [8]),
        ("{x} meets {9} | union of {row(c)} for c in man[A]", [1, 2, 9]),
        ("x not in union of {row(c), 5} for c in man[A]", [3, 4, 6, 7, 8, 9]),
        ("x in (if rock = {} then {1, 2} else {8, 9})", [8, 9]),
        ("x in (if rock = {} then {1} else if x > 4 then {5, 9} else {2, 3})", [2, 3, 5, 9]),
        ("x in (if rock = {} then few else many)", [6, 7]),
        ("cell(x) in man[A]", [1, 2, 4]),
    ],
)
def test_conditions(tmp_path: Path, condition: str, expected: list[int]) -> None:
    sets = "state\n  few: set of 1..3 = {1}\n  many: set of 4..9 = {6, 7}\n"
    move = f'move pick(x: 1..9) written "{{x}}"\n  when {condition}\n  add 1 to few\n  take 9 from many\n'
    assert [int(t) for t in texts(after(game(tmp_path, HEAD + sets + move + CHOICE)))] == expected


def places(state: State, *names: str) -> list[object]:
    return [codes_named(state, name) for name in names]


def test_whatever_stands_there_moves(tmp_path: Path) -> None:
    """A man of either player, the rock, a stack as a whole; nothing is moved from an empty cell."""
    rules = """
piece chip of player, stacking
move pick(a: cell, b: cell) written "{a}-{b}"
  when a in occupied
  when b in empty or b in chip[B] and a in chip[B]
  move all from a to b
play
  put man[A] on a1
  put man[B] on b1
  put rock on c1
  put chip[B] on {a2, b2}
  put chip[B] on {a2, b2}
  put chip[B] on a2
  turns from A
    me plays pick
    if turn > 9
      draw
"""
    g = game(tmp_path, HEAD + rules)
    state = after(g, "a1-a3", "b1-b3", "c1-c3", "a2-b2", "b2-c2")
    assert str(codes_named(g.initial_state(), "man")) != str(codes_named(state, "man"))
    a3, b3, c3, c2 = (1 << i for i in (6, 7, 8, 5))
    assert places(state, "man", "rock", "chip") == [[a3, b3], [c3], [0, c2]]
    assert max(codes_named(state, "chip above")) == 4  # type: ignore[type-var]


def test_a_set_of_what_may_be_none_is_empty(tmp_path: Path) -> None:
    rules = """
state
  last: cell?
  seen: set of cell
move pick(c: cell) written "{c}"
  when c not in {last} | {step(c, n)} | {a1, last}
  for d in {last}
    add d to seen
  set last to c
"""
    g = game(tmp_path, HEAD + rules + CHOICE)
    assert len(texts(after(g))) == 8
    state = after(g, "b2", "c3")
    assert codes_named(state, "seen") == [1 << 4]
    assert "c3" not in texts(state)


CARDS = """
type rank = {low, high}
type card = (rank, animal)
state
  top: card
move pick(k: card) written "{k}"
  when k.rank = high and k.animal != frog
  set top to k
"""


def test_parts_of_a_tuple_have_the_names_of_their_types(tmp_path: Path) -> None:
    assert texts(after(game(tmp_path, HEAD + CARDS + CHOICE))) == ["(high, hare)", "(high, heron)"]


def test_a_part_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "x.gdl"
    path.write_text(HEAD + CARDS.replace("k.rank", "k.rnak") + CHOICE, encoding="utf-8")
    _, found = check_file(path)
    assert [(d.code, d.near) for d in found if d.is_error] == [("E0217", ("rank",))]
