"""Choices made at once: the average strategy comes near to the mixed equilibrium."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl import Game
from gamedsl.agents import parse_agent
from gamedsl.agents.mcts import Mcts
from tests.agents.play import own_game

UNEVEN = """game "Uneven hands"

players left, right

type hand = {rock, paper, scissors}

state
  shown: player -> hand?
  gain: player -> -2..2

define beats(a: hand, b: hand) = (a, b) in {(rock, scissors), (paper, rock), (scissors, paper)}

move show(h: hand) written "{h}"
  set shown[me] to h

play
  everyone plays show
  for p in players
    if beats(shown[p], shown[next(p)])
      if shown[p] = rock
        set gain[p] to 2
        set gain[next(p)] to -2
      else
        set gain[p] to 1
        set gain[next(p)] to -1
  score by gain
"""

SKEWED = """game "Skewed"

players row, column

type side = {first, second}

state
  shown: player -> side?
  gain: player -> -3..3

move show(s: side) written "{s}"
  set shown[me] to s

play
  everyone plays show
  if shown[row] = first and shown[column] = first
    set gain[row] to 3
    set gain[column] to -3
  if shown[row] = first and shown[column] = second
    set gain[row] to -1
    set gain[column] to 1
  if shown[row] = second and shown[column] = first
    set gain[row] to -1
    set gain[column] to 1
  if shown[row] = second and shown[column] = second
    set gain[row] to 1
    set gain[column] to -1
  score by gain
"""

# Who wins the throw wins the play in 52 of 100 cases: that is lost among the luck, in any search that is short.
LUCKY = """game "A throw, then luck"

players left, right

type hand = {rock, paper, scissors}

state
  shown: player -> hand?
  first: player

define beats(a: hand, b: hand) = (a, b) in {(rock, scissors), (paper, rock), (scissors, paper)}

move show(h: hand) written "{h}"
  set shown[me] to h

play
  repeat
    for p in players
      set shown[p] to none
    everyone plays show
  until shown[left] != shown[right]
  set first to if beats(shown[left], shown[right]) then left else right
  for p in players
    set shown[p] to none
  roll d100 -> luck
  if luck <= 52
    win first
  win rival(first)
"""


def strategy(game: Game, player: int, iterations: int = 40_000, seed: int = 1) -> dict[str, float]:
    found = Mcts(iterations, None).study(game.initial_state(), seed, player)
    moves = game.initial_state().legal_moves(player)
    assert found.secret and found.seat == player
    return {str(moves[r.action]): r.share for r in found.rows}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("player", [0, 1])
def test_an_even_game(player: int, seed: int) -> None:
    found = strategy(gamedsl.load("rock-paper-scissors"), player, seed=seed)
    assert found == {hand: pytest.approx(1 / 3, abs=0.05) for hand in ("rock", "paper", "scissors")}


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("player", [0, 1])
def test_an_uneven_game(player: int, seed: int, tmp_path: Path) -> None:
    """Rock's win is worth two. In equilibrium each hand is played in proportion to what the other two play for: paper
    against rock and scissors against paper for one, rock against scissors for two, so 1/4, 1/2, 1/4."""
    found = strategy(own_game(tmp_path, UNEVEN), player, seed=seed)
    assert found == {
        hand: pytest.approx(p, abs=0.05) for hand, p in (("rock", 0.25), ("paper", 0.5), ("scissors", 0.25))
    }


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("player", [0, 1])
def test_luck_decides_for_no_hand(player: int, seed: int, tmp_path: Path) -> None:
    """Each hand wins against one, ties with one and loses to one: a third each, however short the search."""
    found = strategy(own_game(tmp_path, LUCKY), player, 2000, seed)
    assert found == {hand: pytest.approx(1 / 3, abs=0.1) for hand in ("rock", "paper", "scissors")}


def test_the_throw_that_begins_a_match() -> None:
    """What the first has chosen changes nothing of the second's strategy, which is mixed."""
    game = gamedsl.load("t-tic-t-tac-toe")
    start = game.initial_state()
    told = [Mcts(1000, None).study(start.apply(m), 9, 1).rows for m in start.legal_moves(0)]
    assert told[0] == told[1] == told[2]
    assert [r.share for r in told[0]] == [pytest.approx(1 / 3, abs=0.12)] * 3


@pytest.mark.parametrize("player", [0, 1])
def test_a_matrix_of_two_by_two(player: int, tmp_path: Path) -> None:
    """Row gets 3, -1 / -1, 1. Equalising: 3p - (1 - p) = -p + (1 - p), so both play their first side with 1/3, and the
    value is 1/3 (of 3: a ninth)."""
    game = own_game(tmp_path, SKEWED)
    assert strategy(game, player)["first"] == pytest.approx(1 / 3, abs=0.05)
    assert Mcts(40_000, None).study(game.initial_state()).values[0] == pytest.approx(1 / 9, abs=0.03)


def test_several_threads_add_up() -> None:
    game = gamedsl.load("rock-paper-scissors")
    found = Mcts(40_000, None, 2).study(game.initial_state(), 3)
    assert [r.share for r in found.rows] == [pytest.approx(1 / 3, abs=0.05)] * 3
    assert sum(r.visits for r in found.rows) == 40_000


def test_the_others_choice_is_not_looked_at() -> None:
    """Whatever the first has chosen, the second finds the same strategy and draws the same hand."""
    game = gamedsl.load("rock-paper-scissors")
    start = game.initial_state()
    agent = parse_agent("mcts:2000")
    chosen = {str(agent.choose(start.apply(m), 9, 1)) for m in start.legal_moves(0)}
    assert len(chosen) == 1
    told = [agent.analyse(start.apply(m), 9, 1) for m in start.legal_moves(0)]
    assert told[0] == told[1] == told[2]


def test_who_chooses_may_come_in_any_order() -> None:
    game = gamedsl.load("rock-paper-scissors")
    start = game.initial_state()
    behind = start.apply(start.legal_moves(1)[0])
    assert behind.to_act == (0,)
    assert parse_agent("mcts:500").choose(behind, 4).player == 0


def test_all_hands_are_drawn() -> None:
    game = gamedsl.load("rock-paper-scissors")
    agent = parse_agent("mcts:2000")
    drawn = [str(agent.choose(game.initial_state(), seed, 0)) for seed in range(40)]
    assert {drawn.count(hand) > 4 for hand in ("rock", "paper", "scissors")} == {True}
