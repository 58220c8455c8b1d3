"""Plies that nobody notices: the same is shown to a seat whether they were made or not.

The law: in two games in which a seat noticed the same, ply by ply, it is told the same and sees the same picture. It is tried on
whole trees of small rulesets, and on random rulesets in which chance follows chance and hidden choices follow each other.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pytest

import gamedsl
from gamedsl import Game
from gamedsl.engine import RulesError
from gamedsl.engine.information.lookalikes import Watcher
from tests.engine.hiding import Steps, random_play, told
from tests.engine.hiding.test_exact import lines, plies
from tests.engine.hiding.test_law import picture

HEAD = """
game "Unnoticed"
players north, south
type num = 1..2
state
  coin: 1..2, seen by nobody
  luck: player -> 1..2, seen by owner
  used: 0..3, seen by nobody
  shown: num -> bool
  said: 0..9
move hide(k: num) written "hide {k}"
  set luck[me] to k
move show(k: num) written "show {k}"
  set shown[k] to yes
move tell(k: num) written "tell {k}"
  when k = luck[me] "not yours"
  add 1 to said
move up written "up"
  add 1 to said
move wait written "wait"
play
"""
# For a hidden reason chance comes once more, and the turn passes: whose turn it is, nobody knows.
CHANCE_AFTER_CHANCE = """
  turns from north
    pick at random from num -> c
    set coin to c
    if coin = 1 and used = 0
      add 1 to used
      pick at random from num -> d
      set coin to d
      skip
    north plays up
    pick at random from num -> n
    set said to (if me = north then n else 3 - n)
    if said > 0
      draw
"""
# Nobody sees how often chance has come.
ROUNDS = """
  for i in {1, 2, 3}
    pick at random from {1, 2, 3} -> n
    set used to n
    if n = i
      set shown[1] to yes
  north plays wait
  draw
"""
# A hidden choice passes the turn, another one does not.
HIDDEN_CHOICES = """
  turns from north, 3 times
    north plays hide | up
    if said > 0
      pick at random from num -> n
      set shown[1] to ((me = north) = (n = 1))
      draw
  draw
"""
# Only if the coin shows 1, it still matters what was said.
FORGOTTEN = """
  pick at random from num -> m
  if m = 1
    set said to 3
  pick at random from num -> n
  set coin to n
  if coin = 1
    south plays up
    draw
  south plays wait
  set said to 2
  north plays up
  draw
"""
RULESETS = {
    "chance after chance": CHANCE_AFTER_CHANCE,
    "rounds": ROUNDS,
    "hidden choices": HIDDEN_CHOICES,
    "forgotten": FORGOTTEN,
}


def loaded(play: str) -> Game:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "unnoticed.gdl"
        file.write_text(HEAD + play.removeprefix("\n"), encoding="utf-8")
        return gamedsl.load(file)


def check_law(game: Game, games: Iterable[Steps], most: int) -> int:
    """Compares what each seat is shown in games in which it noticed the same, in the first ``most`` of each kind; returns how
    many were compared."""
    watchers = [Watcher(seat) for seat in range(game.num_players)]
    groups: dict[tuple[int, str], list[Steps]] = defaultdict(list)
    for steps in games:
        if len(steps) > 1 and steps[-1][0].kind != "chance" and not steps[-1][0].pending:
            for seat, watcher in enumerate(watchers):
                found = [
                    watcher.notices_ply(before, move, after)
                    for (before, _), (after, move) in pairwise(steps)
                    if move is not None
                ]
                group = groups[seat, repr([x for x in found if x])]
                if len(group) < most and plies(steps) not in map(plies, group):
                    group.append(steps)
    compared = 0
    for (seat, _), (first, *others) in groups.items():
        for other in others:
            assert told(other, seat) == told(first, seat), (seat, plies(first), plies(other))
            assert picture(game, other, seat) == picture(game, first, seat), (seat, plies(first), plies(other))
            compared += 1
    return compared


@pytest.mark.parametrize("name", RULESETS)
def test_whole_trees(name: str) -> None:
    game = loaded(RULESETS[name])
    assert check_law(game, lines([(game.initial_state(), None)]), 100) > 0


def test_a_turn_that_may_have_passed_unnoticed_leaves_sizes_unknown() -> None:
    """The card is dealt to the player whose turn it is, and a hidden choice has passed the turn, or not."""
    text = HEAD.replace(
        "  used:", "  deck: set of num = num, seen by nobody\n  pile: player -> set of num, seen by nobody\n  used:"
    )
    play = """
  turns from north, 3 times
    north plays hide | up
    if said > 0
      deal from deck to pile[me]
      south plays wait
      draw
  draw
"""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "unnoticed.gdl"
        file.write_text(text + play.removeprefix("\n"), encoding="utf-8")
        game = gamedsl.load(file)
    assert {game.program.variables[i].name for i in game.secrets.known_sizes} == {"deck"}


class RandomPlay:
    """The course of a random ruleset."""

    MOVES = ("hide", "show", "tell", "up", "wait")
    CONDITIONS = (
        "coin = 1", "luck[north] = 1", "luck[me] = 1", "used < 2", "coin = 1 and used < 2", "shown[1]", "me = north",
    )  # fmt: skip

    def __init__(self, seed: int) -> None:
        self.rng, self.names, self.loops = Random(seed), 0, list[str]()

    def text(self) -> str:
        body = [*self.statements(2), *self.statements(1)]
        return "  turns from north, 3 times\n" + "".join(f"    {line}\n" for line in body) + "  draw\n"

    def statements(self, depth: int) -> list[str]:
        return [line for _ in range(self.rng.choice((1, 2, 2, 3))) for line in self.statement(depth)]

    def name(self) -> str:
        self.names += 1
        return f"n{self.names}"

    def statement(self, depth: int) -> list[str]:
        kind = self.rng.random()
        if kind < 0.3:
            return self.chance()
        if kind < 0.6 or depth == 0:
            kinds = " | ".join(self.rng.sample(self.MOVES, self.rng.choice((1, 2, 2))))
            stuck = ["  stuck", "    set coin to 1"] if kinds == "tell" else []
            return [f"{self.rng.choice(('me', 'me', 'north', 'south'))} plays {kinds}", *stuck]
        if kind < 0.88:
            inside = [*self.statements(depth - 1), *self.rng.choice(([], [], ["skip"]))]
            return [f"if {self.rng.choice(self.CONDITIONS)}", *(f"  {line}" for line in inside)]
        if kind < 0.94:
            self.loops.append(self.name())
            inside = self.statements(depth - 1)
            return [f"for {self.loops.pop()} in num", *(f"  {line}" for line in inside)]
        return ["repeat 2 times", *(f"  {line}" for line in self.statements(depth - 1))]

    def chance(self) -> list[str]:
        n = self.name()
        effects = [
            [f"set coin to {n}"],
            [f"set luck[me] to {n}"],
            [f"set shown[1] to ({n} = 1)"],
            [f"if {n} = 1", "  add 1 to said"],
            [f"if (me = north) = ({n} = 1)", "  set shown[1] to yes", "  add 1 to said"],
            [f"set said to (if me = north then {n} else 3 - {n})"],
            *([f"if {n} = {i}", "  set shown[2] to yes"] for i in self.loops),
        ]
        return [f"pick at random from num -> {n}", *self.rng.choice(effects)]


def check_random_ruleset(seed: int, plays: int) -> int:
    game, games = loaded(RandomPlay(seed).text()), list[Steps]()
    for play in range(plays):
        with suppress(RulesError):  # a number that grows too large
            steps = random_play(game, play, 12)
            games += [steps[:i] for i in range(2, len(steps) + 1)]
    return check_law(game, games, 4)


@pytest.mark.parametrize("seed", range(2))
def test_a_random_ruleset(seed: int) -> None:
    assert check_random_ruleset(seed, 8) > 0


@pytest.mark.slow  # many rulesets
@pytest.mark.parametrize("seed", range(2, 60))
def test_more_random_rulesets(seed: int) -> None:
    check_random_ruleset(seed, 24)
