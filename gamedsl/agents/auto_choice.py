"""Which search plays a ruleset best: decided by matches with equal CPU time.

In turn, ways challenge the best one so far in matches of one millisecond a move. What is strong there can be weak with more
time, so the last winner also has to beat plain tree search in a match of ten milliseconds a move. A sequential test decides
each match; where it does not, nothing changes.

The time is counted by what searches cost, which is measured once on a machine (``search_costs``), so that a busy machine
does not change a match; where both sides search trees with playouts, their iterations are counted. The decision is made once
for a ruleset and kept in the code cache.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from gamedsl.agents import forest
from gamedsl.agents.contender import AlphaBetaContender, Contender, TreeContender, play_tested
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import once
from gamedsl.agents.search_costs import search_costs
from gamedsl.agents.self_play_value import best_value
from gamedsl.lab.statistics import PairCounts, SequentialTest
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.agents.tournament import PairScores
    from gamedsl.compiler import Native

TEST = SequentialTest(0.0, 150.0, 0.2, 0.1)  # of a match; two have to be won
MOST_PAIRS = 24  # of it
PLIES = 30  # of playouts in a microsecond, where both sides play out
FEWEST_ITERATIONS = 200  # on a move, there
SAMPLE = 64  # playouts that show how long games are


@lazy_dataclass(frozen=True)
class MatchPlan:
    """How a match is played. ``microseconds``: on a move; ``most_plies``: of all its games, after which nothing is decided."""

    microseconds: int
    most_plies: int


QUALIFYING, FINAL = MatchPlan(1_000, 2_000), MatchPlan(10_000, 1_600)


@lazy_dataclass(frozen=True)
class Way:
    """A way to search. ``kind``: ``tree`` or ``ab``; ``leaf``: judges positions by the leaf value (else by playouts);
    ``explore``: see ``forest``."""

    kind: str = "tree"
    leaf: bool = False
    explore: float = forest.EXPLORE

    @property
    def text(self) -> str:
        """The way, in words."""
        judge = "the linear leaf value" if self.leaf else "playouts"
        if self.kind == "ab":
            return f"alpha-beta with {judge}"
        return f"tree search with {judge}, exploration {self.explore:g}"

    def style(self, value: LeafValue | None) -> forest.TreeStyle:
        """How trees are searched. ``value``: the leaf value."""
        return forest.TreeStyle(value if self.leaf else None, self.explore)


PLAIN = Way()
# what challenges the best way so far, in this order; the second of each: what that has to be (None: anything)
CHALLENGERS = (
    (Way("tree", True, 0.3), None),
    (Way("ab", True), None),
    (Way("tree", True, 0.1), Way("tree", True, 0.3)),
    (Way("tree", False, 0.5), PLAIN),
    (Way("tree", False, 0.25), Way("tree", False, 0.5)),
)


@lazy_dataclass(frozen=True)
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


@lazy_dataclass(frozen=True)
class AutoChoice:
    """The way that won, its leaf value if it uses one, the choice and its reason in words, and the ``guide`` of an exact search:
    the leaf value, whether the way uses it or not."""

    way: Way
    value: LeafValue | None
    text: str
    guide: LeafValue | None = None

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
    choice = AutoChoice(found.way, value if found.way.leaf else None, f"{found.way.text} ({reason})", value)
    logging.getLogger("gamedsl").info("auto: %s", choice.text)
    return choice


def _tested(native: Native, value: LeafValue | None) -> Choice:
    def test() -> list[Any]:
        found = _knockout(native, value)
        return [found.way.kind, found.way.leaf, found.way.explore, found.points, found.pairs]

    def read(found: Any) -> Choice:
        kind, leaf, explore, points, pairs = found
        way = Way(str(kind), bool(leaf), float(explore))
        if way not in (PLAIN, *(way for way, _ in CHALLENGERS)) or (way.leaf and value is None):
            raise ValueError
        return Choice(way, float(points), int(pairs))

    return kept_data(native, f"auto choice, {value.origin if value else 'no value'}", test, read)


def _knockout(native: Native, value: LeafValue | None) -> Choice:
    """Lets one way after the other challenge the best one so far, and the last winner the default."""
    best = Choice(PLAIN)
    for way, required in CHALLENGERS:
        if (way.leaf and value is None) or required not in (None, best.way):
            continue
        sides = contenders((way, best.way), native, value, QUALIFYING.microseconds)
        if sides is None:
            break
        best = _winner((way, best.way), play_match(native, sides, QUALIFYING))
    if best.way == PLAIN:
        return best
    sides = contenders((best.way, PLAIN), native, value, FINAL.microseconds)
    assert sides is not None
    return _winner((best.way, PLAIN), play_match(native, sides, FINAL))


def play_match(native: Native, sides: Sequence[Contender], plan: MatchPlan) -> PairScores:
    """Plays mirrored pairs until ``TEST`` is decided. Returns the scores of the first side."""
    return play_tested(native, sides, TEST, MOST_PAIRS, plan.most_plies)


def _winner(ways: tuple[Way, Way], scores: PairScores) -> Choice:
    """The first way if it is stronger by the test, else the second."""
    counts = scores.counts.get((0, 1), PairCounts())
    points = 2 * counts.pairs * counts.mean
    if scores.accepted == "H1":
        return Choice(ways[0], points, counts.pairs)
    return Choice(ways[1], 2 * counts.pairs - points, counts.pairs)


def contenders(
    ways: tuple[Way, Way], native: Native, value: LeafValue | None, microseconds: int
) -> list[Contender] | None:
    """Returns searches for equal CPU time on a move; None if games are too long for a match."""
    if value is None or not (ways[0].leaf or ways[1].leaf):
        sample = native.playouts(SAMPLE, 1)
        iterations = int(2 * PLIES * microseconds * sample.plays / max(1, sample.plies))
        if iterations < FEWEST_ITERATIONS:
            return None
        return [TreeContender(way.style(None), iterations) for way in ways]
    return [contender(way, native, value, microseconds) for way in ways]


def contender(way: Way, native: Native, value: LeafValue, microseconds: int) -> Contender:
    """Returns a search with so many microseconds on a move, by what searches cost."""
    costs = search_costs(native, value)
    if way.kind == "ab":
        return AlphaBetaContender(value if way.leaf else None, max(1, int(1_000 * microseconds / costs.effort)))
    return TreeContender(way.style(value), max(1, int(microseconds / (costs.judged if way.leaf else costs.played))))
