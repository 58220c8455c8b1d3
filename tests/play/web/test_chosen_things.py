"""A kind of move with a yes or no for each of several dice is made by touching the dice; which is which is found by trying."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine import Game
from gamedsl.play.web import describe_game

RULES = """
game "Two Throws"

players red, blue

type die = 1..3
type box = {low, high}

state
  again: bool
  face: die -> 0..6
  filled: player -> set of box
  total: player -> 0..40

define all_dice = sum of face[d] for d in die
define worth(b: box): 0..40 = if b = high then all_dice else 21 - all_dice

move reroll(a: 0..1, b: 0..1, c: 0..1) written "reroll {a}{b}{c}"
  when again "you have thrown twice"
  when a + b + c > 0 "choose dice"
  set again to no
  for d in {1} & {MAP} | {2} & {2 * b} | {3} & {3 * LAST}
    roll d6 -> r
    set face[d] to r

move fill(b: box) written "{b}"
  when b not in filled[me] "that box is filled"
  add b to filled[me]
  add worth(b) to total[me]

play
  turns from red until every p in players: filled[p] = box
    for d in die
      roll d6 -> r
      set face[d] to r
    set again to yes
    me plays reroll | fill
    if not again
      me plays fill
  rank by total

look
  beside "die {d}" face[d] for d in die
  beside "score of {p}" total[p] for p in players
  beside "filled by {p}" filled[p] for p in players
"""


def two_throws(folder: Path, first: str = "a", last: str = "c") -> Game:
    file = folder / "throws.gdl"
    file.write_text(RULES.replace("MAP", first).replace("LAST", last), encoding="utf-8")
    return gamedsl.load(file)


@pytest.mark.parametrize(
    ("first", "last", "places"),
    [("a", "c", [0, 1, 2]), ("c", "a", [2, 1, 0]), ("a", "a", None)],
    ids=["in order", "the first says what is done with the last", "one die has no say"],
)
def test_which_parameter_is_which_die(tmp_path: Path, first: str, last: str, places: list[int] | None) -> None:
    reroll, fill = describe_game(two_throws(tmp_path, first, last))["kinds"][:2]
    assert fill["chosen"] is None
    assert reroll["chosen"] == (None if places is None else {"holding": 0, "places": places})


@pytest.mark.parametrize("name", ["liars-dice", "backgammon"])
def test_other_kinds_of_moves_choose_no_things(name: str) -> None:
    assert all(kind["chosen"] is None for kind in describe_game(gamedsl.load(name))["kinds"])
