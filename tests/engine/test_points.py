"""``returns`` are utilities in points as the rules score them, with either backend, and lie within the game's bounds."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.agents import parse_agent
from gamedsl.agents.mcts import Mcts
from gamedsl.compiler import compile_program
from gamedsl.compiler.host.native_game import NativeGame
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.state import State
from gamedsl.lab.simulate.reference_plays import Plan
from gamedsl.lab.simulate.simulation import simulate
from gamedsl.lab.solve.solve_text import outcome
from gamedsl.lab.solve.solver import solve
from gamedsl.language.rules import load_program
from tests.shipped_sample import small

RULESETS = Path(__file__).parents[2] / "rulesets"
SHIPPED = sorted(RULESETS.glob("*.gdl")) + sorted((RULESETS / "classics").glob("*.gdl"))

# Kuhn poker: ante 1, bet 1 (Kuhn, "A Simplified Two-Person Poker", 1950)
KUHN = """game "Kuhn Poker"

players one, two

type card = {jack, queen, king}

state
  deck: set of card = {jack, queen, king}, seen by nobody
  hand: player -> card?, seen by owner
  paid: player -> 0..2 = 1
  checks: 0..2
  folded: player?

define bet_open = paid[one] != paid[two]
define best = if folded is some then rival(folded) else if number(hand[one]) > number(hand[two]) then one else two
define gain(p: player) = if p = best then paid[rival(p)] else 0 - paid[p]

move pass written "p"
  if bet_open
    set folded to me
  else
    add 1 to checks

move bet written "b"
  add 1 to paid[me]

play
  for p in players
    pick at random from deck -> c
    take c from deck
    set hand[p] to c
  turns from one until folded is some or checks = 2 or paid[one] + paid[two] = 4
    me plays pass | bet
  score by gain
"""

# one takes 1 to 3 stones from five and is paid two a stone; then it is over
PAID = """game "Paid"
players one, two
state
  taken: 0..3
define gain(p: player) = if p = one then 2 * taken else 0 - 2 * taken
move take(n: 1..3) written "{n}"
  set taken to n
play
  turns from one, 1 times
    me plays take
  score by gain
"""


@cache
def games(text: str, folder: Path) -> tuple[Game, Game]:
    (folder / "own.gdl").write_text(text, encoding="utf-8")
    program = load_program(folder / "own.gdl", {})
    return InterpretedGame(program), NativeGame(program)


def after(state: State, *moves: str) -> State:
    for text in moves:
        state = state.apply(state.game.parse_move(text, state))
    return state


@pytest.fixture(params=[0, 1], ids=["interpreter", "native"])
def kuhn(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    return games(KUHN, tmp_path)[request.param]


@pytest.mark.parametrize(
    ("moves", "returns"),
    [  # one has the king and two the jack: a checked hand wins the ante, a called bet two, a folded one the ante
        (("p", "p"), (1, -1)),
        (("b", "b"), (2, -2)),
        (("b", "p"), (1, -1)),
        (("p", "b", "p"), (-1, 1)),
        (("p", "b", "b"), (2, -2)),
    ],
)
def test_kuhn_poker(kuhn: Game, moves: tuple[str, ...], returns: tuple[int, int]) -> None:
    """The chips that change hands, as OpenSpiel counts them."""
    start = kuhn.initial_state()
    start = start.apply(next(m for m, _ in start.chance_outcomes() if "king" in str(m)))
    start = start.apply(next(m for m, _ in start.chance_outcomes() if "jack" in str(m)))
    end = after(start, *moves)
    assert end.returns == end.scores == returns and all(type(r) is int for r in end.returns)
    assert start.returns == (0, 0) and start.scores == ()
    assert end.observation(0)["returns"] == [str(r) for r in returns]


def test_bounds(kuhn: Game) -> None:
    """Nobody pays more than two."""
    assert (kuhn.min_utility, kuhn.max_utility) == (-2, 2)


# The least and the most that a player can gain where chips are counted: Kuhn's two chips each; at Leduc 1 + 2 * 2 + 2 * 4;
# who buys a lot worth ten gains ten at a price of nothing, and nobody loses; five ships sink or are sunk.
CHIPS = {"kuhn-poker": (-2, 2), "leduc-poker": (-13, 13), "sealed-bid-auction": (0, 10), "battleship": (-5, 5)}


@pytest.mark.parametrize("path", [p for p in SHIPPED if p.stem not in CHIPS], ids=lambda p: p.stem)
def test_shipped_rulesets_are_won_drawn_or_lost(path: Path) -> None:
    game = gamedsl.load(path, **small(path))
    assert (game.min_utility, game.max_utility) == (-1, 1)


@pytest.mark.parametrize("name", CHIPS)
def test_bounds_hold_all_that_can_be_gained(name: str) -> None:
    game, (least, most) = gamedsl.load(name), CHIPS[name]
    assert game.min_utility <= least and most <= game.max_utility


def test_gammons() -> None:
    """In backgammon with its stakes a game is won for one, two or three points."""
    game = gamedsl.load("backgammon", gammons=True)
    state, rng = game.initial_state(), Random(2)
    while not state.is_terminal:
        state = state.apply(state.propose(rng))
    assert sorted(state.returns) in ([-n, n] for n in (1, 2, 3))
    assert game.min_utility <= -3 and game.max_utility >= 3


def test_random_plays_are_counted_in_points(tmp_path: Path) -> None:
    """The same sums by both ways to play compiled rules: 500 plays of Kuhn poker, nobody gains what the other does not
    lose. The interpreter's plays have the same mean."""
    slow, fast = games(KUHN, tmp_path)
    tally = compile_program(slow.program, slow).playouts(500, seed=1)
    assert tally.sums[0] == -tally.sums[1] == int(tally.sums[0])
    assert 500 <= tally.squares[0] <= 2000 and tally.squares[0] == int(tally.squares[0])  # each is 1 or 4
    told = [simulate(Plan.of(g, seed=1), 500, backend=b).summary for g, b in ((slow, "interpreter"), (fast, "native"))]  # type: ignore[arg-type]
    assert told[1].seats[0].utility is not None and told[1].seats[0].utility.value * 500 == pytest.approx(tally.sums[0])
    low, high = (told[0].seats[0].utility.value * 500, tally.sums[0]) if told[0].seats[0].utility else (0, 0)
    assert abs(low - high) < 4.5 * 2 * (2 * 500) ** 0.5  # two samples of one mean


@pytest.mark.parametrize("method", ["graph", "depth", "proof"])
def test_solved_in_points(method: Any, tmp_path: Path) -> None:
    """Three stones at two each."""
    start = games(PAID, tmp_path)[0].initial_state()
    found = solve(start, method=method)
    assert found.value == 6 and outcome(found) == "one gets 6, two gets -6"
    assert after(start, "3").returns == (6, -6)


def test_agents_think_in_shares_of_the_greatest_utility(tmp_path: Path) -> None:
    """Up to four stones could be taken, as far as the ranges tell; taking one of them is worth a quarter."""
    start = games(PAID.replace("taken: 0..3", "taken: 0..4"), tmp_path)[1].initial_state()
    found = Mcts(2000, None).study(start, 1)
    assert start.game.max_utility == 8 and found.values == (0.75, -0.75)
    assert [r.value for r in sorted(found.rows, key=lambda r: r.action)] == [0.25, 0.5, 0.75]
    assert str(parse_agent("ab:d3").choose(start, 1)) == "3"
