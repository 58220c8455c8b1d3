"""Bounds on the number of decisions: known lengths, games without a bound, and random plays."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import gamedsl
from gamedsl import Game
from tests.shipped_sample import sampled

RULESETS = Path(__file__).parents[3] / "rulesets"
SHIPPED = sorted(p.stem for folder in (RULESETS, RULESETS / "classics") for p in folder.glob("*.gdl"))


def load(name: str) -> Game:
    return gamedsl.load(name, backend="interpreter")


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("tic-tac-toe", 9),
        ("connect-four", 42),
        ("gomoku", 225),
        ("ultimate-tic-tac-toe", 81),
        ("sealed-bid-auction", 1),
        ("hex", 121),  # the rule of the swap is off
        ("havannah", 169),
        ("sim", 15),
        ("kayles", 13),
        ("oshi-zumo", 100),  # rounds
        ("breakthrough", 2 * 8 * (1 + 2 + 3 + 4 + 5 + 6 + 7)),  # the ways of men from all squares
        ("dark-hex", 27),  # 9 cells: stones, and what either player has found
        ("lines-of-action", 1001),  # turns
    ],
)
def test_known_lengths(name: str, most: int) -> None:
    assert load(name).max_game_length == most


@pytest.mark.parametrize("name", ["chess", "backgammon", "go"])
def test_no_bound(name: str) -> None:
    assert load(name).max_game_length is None


RULES = """game "Tiny"

players white, black

board grid 4 by 4

define ways(p: player) = if p = white then {north} else {south}
define forward(p: player, c: cell) = steps(c, ways(p))

piece man of player
state
  quiet: 0..9

move go(here: cell, there: cell)
  when here in man[me] "no"
  when there in {ways} "no"
  when there in empty "no"
  {then}
  move man[me] from here to there
  {more}

move drop(c: cell)
  when {dropped} "no"
  when c in empty "no"
  put man[me] on c

move take(c: cell)
  when {taken} "no"
  when c in man[rival] "no"
  remove man[rival] from c
  {reset}

play
  put man[white] on {c in cell: row(c) = 1}
  put man[black] on {c in cell: row(c) = 4}
  turns from white
    me plays go | drop | take
      stuck
        lose me
"""
FORWARD = "forward(me, here)"
ROUND = "neighbors(here)"
NONE = {
    "then": "set quiet to 0",
    "more": "set quiet to 0",
    "dropped": "1 = 2",
    "taken": "1 = 2",
    "reset": "set quiet to 0",
}


@pytest.mark.parametrize(
    ("changes", "most"),
    [
        ({"ways": FORWARD}, 2 * 4 * (1 + 2 + 3)),
        ({"ways": FORWARD, "taken": "1 = 1"}, 2 * 4 * (1 + 2 + 3) + 32),
        ({"ways": ROUND}, None),  # round and round
        ({"ways": FORWARD, "dropped": "1 = 1"}, None),  # men come back
        ({"ways": ROUND, "then": "add 1 to quiet", "more": "set quiet to 1"}, None),  # set back
        ({"ways": ROUND, "then": "add 1 to quiet", "more": "", "reset": "", "taken": "1 = 1"}, 9 + 32),
        ({"ways": ROUND, "then": "add 1 to quiet", "more": "", "taken": "1 = 1"}, 32 + 33 * 9),  # lexicographic
        ({"ways": ROUND, "then": "if quiet < 9\n    add 1 to quiet", "more": ""}, None),  # stays at 9
    ],
)
def test_measures_of_a_small_game(changes: dict[str, str], most: int | None, tmp_path: Path) -> None:
    text = RULES
    for name, value in (NONE | changes).items():
        text = text.replace("{" + name + "}", value)
    path = tmp_path / "tiny.gdl"
    path.write_text("\n".join(line for line in text.split("\n") if line != "  "))
    assert gamedsl.load(path, backend="interpreter").max_game_length == most


def test_a_claim_is_no_proof() -> None:
    mine = load("kuhn-poker")
    assert (mine.max_game_length, mine.claimed_game_length) == (None, 3)


def test_counters_have_room_for_all_their_numbers() -> None:
    assert load("nim").max_game_length == 4 * 15  # the counters hold 0..15


@pytest.mark.parametrize("name", sampled(SHIPPED, "length"))
def test_no_random_play_is_longer(name: str) -> None:
    mine, rng = load(name), random.Random(1)
    if mine.max_game_length is None or mine.max_game_length > 300:
        return
    for _ in range(3):
        state, made = mine.initial_state(), 0
        while not state.is_terminal:
            decided = state.kind != "chance"
            after = state.apply(state.propose(rng))
            made += decided and not after.pending
            state = after
        assert made <= mine.max_game_length
