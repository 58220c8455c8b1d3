"""Which search plays a ruleset best: decided by matches with equal CPU time.

A match goes on until a sequential test decides it. A challenger replaces what is used so far only if the test accepts that
it is stronger, which is wrong for at most about one in twenty challengers that are not; where nothing is decided, nothing
changes.

The time is counted by what searches cost, which is measured once on a machine (``search_costs``), so that a busy machine
does not change a match; where both sides search trees with playouts, their iterations are counted. The decision is made once
for a ruleset and kept in the code cache.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gamedsl.agents import forest
from gamedsl.agents.contender import CONDITIONS, AlphaBetaContender, Contender, TreeContender, effort_on_a_move
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import once
from gamedsl.agents.search_costs import search_costs
from gamedsl.agents.self_play_value import best_value
from gamedsl.agents.tournament import pairings, play
from gamedsl.lab.statistics import PairCounts, SequentialTest

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.compiler import Native

TEST = SequentialTest(0.0, 150.0)
MOST_PAIRS = 24  # of a match
EFFORT = 100_000  # microseconds of a side in a game
LEAST, MOST = 500, 10_000  # microseconds on a move
PLIES = 3_000_000  # of the playouts of a side in a game, where both play out
FEWEST_ITERATIONS, MOST_ITERATIONS = 200, 2_000  # on a move, there
SAMPLE = 64  # playouts that show how long games are


@dataclass(frozen=True)
class Way:
    """A way to search. ``kind``: ``tree`` or ``ab``; ``leaf``: how many hundredths of the value of a position are its leaf
    value (the rest: the result of a playout); ``explore``: see ``forest``."""

    kind: str = "tree"
    leaf: int = 0
    explore: float = forest.EXPLORE

    @property
    def text(self) -> str:
        """The way, in words."""
        judge = "playouts" if self.leaf == 0 else "the linear leaf value"
        if self.kind == "ab":
            return f"alpha-beta with {judge}"
        if 0 < self.leaf < 100:
            judge = f"playouts and {self.leaf} % of {judge}"
        return f"tree search with {judge}, exploration {self.explore:g}"

    def style(self, value: LeafValue | None) -> forest.TreeStyle:
        """How trees are searched. ``value``: the leaf value."""
        return forest.TreeStyle(value if self.leaf else None, self.explore, self.leaf or 100)


PLAIN = Way()
# what challenges the best way so far, in this order; the second of each: what that has to be (None: anything)
CHALLENGERS = (
    (Way("tree", 100, 0.3), None),
    (Way("ab", 100), None),
    (Way("tree", 50, 0.5), None),
    (Way("tree", 100, 0.1), Way("tree", 100, 0.3)),
    (Way("tree", 0, 0.5), PLAIN),
    (Way("tree", 0, 0.25), Way("tree", 0, 0.5)),
)


@dataclass(frozen=True)
class Choice:
    """The ``way`` that nobody beat. ``points`` and ``pairs``: of its last match (0 pairs: there was none)."""

    way: Way
    points: float = 0.0
    pairs: int = 0

    @property
    def reason(self) -> str:
        """Why, in words."""
        if not self.pairs:
            return "its games are too long for a self-test"
        return f"{self.points:g} of {2 * self.pairs} points in the last match of the self-test"


@dataclass(frozen=True)
class AutoChoice:
    """The way that won, its leaf value if it uses one, and the choice and its reason in words."""

    way: Way
    value: LeafValue | None
    text: str

    @property
    def style(self) -> forest.TreeStyle:
        """How trees are searched."""
        return self.way.style(self.value)


def auto_choice(native: Native) -> AutoChoice:
    """Returns the choice for a ruleset of two players who take turns, without chance and hidden information."""
    value = best_value(native)
    found = once(native, "auto_choice", partial(_tested, native, value))
    reason = found.reason
    if value is None:
        reason += ", random games teach no linear leaf value"
    elif found.way.leaf:
        reason += f", learned from {value.origin}"
    choice = AutoChoice(found.way, value if found.way.leaf else None, f"{found.way.text} ({reason})")
    logging.getLogger("gamedsl").info("auto: %s", choice.text)
    return choice


def _tested(native: Native, value: LeafValue | None) -> Choice:
    def test() -> list[Any]:
        found = _knockout(native, value)
        return [found.way.kind, found.way.leaf, found.way.explore, found.points, found.pairs]

    def read(found: Any) -> Choice:
        kind, leaf, explore, points, pairs = found
        way = Way(str(kind), int(leaf), float(explore))
        if way not in (PLAIN, *(way for way, _ in CHALLENGERS)) or (way.leaf and value is None):
            raise ValueError
        return Choice(way, float(points), int(pairs))

    return kept_data(native, f"auto choice, {value.origin if value else 'no value'}", test, read)


def _knockout(native: Native, value: LeafValue | None) -> Choice:
    """Lets one way after the other challenge the best one so far."""
    best = Choice(PLAIN)
    for way, required in CHALLENGERS:
        if (way.leaf and value is None) or required not in (None, best.way):
            continue
        sides = contenders((way, best.way), native, value)
        if sides is None:
            break
        counts = play_match(native, sides)
        points = 2 * counts.pairs * counts.mean
        if TEST.decide(counts) == "H1":
            best = Choice(way, points, counts.pairs)
        else:
            best = Choice(best.way, 2 * counts.pairs - points, counts.pairs)
    return best


def play_match(native: Native, sides: Sequence[Contender]) -> PairCounts:
    """Plays mirrored pairs until ``TEST`` is decided. Returns the pairs by the points of the first side."""
    counts, points = PairCounts(), 0.0
    for number, pairing in enumerate(pairings(2, 2, MOST_PAIRS)):
        points += play(native.game, sides, pairing, CONDITIONS).points()[0][1]
        if number % 2 == 0:
            continue
        counts, points = counts.add(points), 0.0
        if TEST.decide(counts):
            break
    return counts


def contenders(ways: tuple[Way, Way], native: Native, value: LeafValue | None) -> list[Contender] | None:
    """Returns searches for equal CPU time; None if games are too long for a match."""
    if value is None or not (ways[0].leaf or ways[1].leaf):
        sample = native.playouts(SAMPLE, 1)
        length = sample.plies / max(1, sample.plays)
        iterations = int(PLIES / max(1.0, min(length, CONDITIONS.most_plies) * length / 2))
        if iterations < FEWEST_ITERATIONS:
            return None
        return [TreeContender(way.style(None), min(iterations, MOST_ITERATIONS)) for way in ways]
    microseconds = effort_on_a_move(EFFORT, value.plies, LEAST, MOST)
    return [contender(way, native, value, microseconds) for way in ways]


def contender(way: Way, native: Native, value: LeafValue, microseconds: int) -> Contender:
    """Returns a search with so many microseconds on a move, by what searches cost."""
    costs = search_costs(native, value)
    if way.kind == "ab":
        return AlphaBetaContender(value if way.leaf else None, max(1, int(1_000 * microseconds / costs.effort)))
    each = costs.played if way.leaf == 0 else costs.judged if way.leaf == 100 else costs.mixed
    return TreeContender(way.style(value), max(1, int(microseconds / each)))
