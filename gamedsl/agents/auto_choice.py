"""Which search plays a ruleset best: decided by short matches with equal CPU time.

The time is counted by what searches cost, which is measured once on a machine (``search_costs``), so that a busy machine
does not change a match. The decision is made once for a ruleset and kept in the code cache.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gamedsl.agents import forest
from gamedsl.agents.contender import CONDITIONS, AlphaBetaContender, Contender, TreeContender, effort_on_a_move
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.position import once
from gamedsl.agents.search_costs import SearchCosts, search_costs
from gamedsl.agents.self_play_value import best_value
from gamedsl.agents.tournament import pairings, play

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.compiler import Native

PAIRS = 3  # of a match
EFFORT = 1_500_000  # microseconds of a side in a match
LEAST, MOST = 500, 10_000  # microseconds on a move
WON = 4  # points of 2 * PAIRS that a challenger needs


@dataclass(frozen=True)
class Way:
    """A way to search. ``kind``: ``tree`` or ``ab``; ``leaf``: whether the leaf value judges positions (else
    playouts); ``explore``: see ``forest``."""

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


PLAIN = Way()
CHALLENGERS = (Way("tree", True, 0.3), Way("ab", True), Way("tree", True, 0.1), Way("tree", False, 0.5))


@dataclass(frozen=True)
class AutoChoice:
    """The way that won, its leaf value if it uses one, and the choice and its reason in words."""

    way: Way
    value: LeafValue | None
    text: str

    @property
    def style(self) -> forest.TreeStyle:
        """How trees are searched."""
        return forest.TreeStyle(self.value, self.way.explore)


def auto_choice(native: Native) -> AutoChoice:
    """Returns the choice for a ruleset of two players who take turns, without chance and hidden information."""
    value = best_value(native)
    if value is None:
        return AutoChoice(PLAIN, None, f"{PLAIN.text}, because random games teach no linear leaf value")
    way, points = once(native, "auto_choice", partial(_tested, native, value))
    reason = f"{points:g} of {2 * PAIRS} points in the last match of the self-test"
    learned = f", learned from {value.origin}" if way.leaf else ""
    found = AutoChoice(way, value if way.leaf else None, f"{way.text} ({reason}{learned})")
    logging.getLogger("gamedsl").info("auto: %s", found.text)
    return found


def _tested(native: Native, value: LeafValue) -> tuple[Way, float]:
    def test() -> list[Any]:
        way, points = _knockout(native, value)
        return [way.kind, way.leaf, way.explore, points]

    def read(found: Any) -> tuple[Way, float]:
        kind, leaf, explore, points = found
        way = Way(str(kind), bool(leaf), float(explore))
        if way not in (PLAIN, *CHALLENGERS):
            raise ValueError
        return way, float(points)

    return kept_data(native, f"auto choice, {value.origin}", test, read)


def _knockout(native: Native, value: LeafValue) -> tuple[Way, float]:
    """The way that nobody beats, and its points in its last match."""
    best, points = PLAIN, float(PAIRS)
    for way in CHALLENGERS:
        if way.kind == "tree" and way.leaf != best.leaf and way.explore != CHALLENGERS[0].explore:
            continue  # another constant for a way that has lost
        if way.kind == best.kind == "ab" or (best.kind == "ab" and way is not CHALLENGERS[0]):
            continue
        got = _match(native, value, way, best)
        if got >= WON:
            best, points = way, got
        else:
            points = 2 * PAIRS - got
    return best, points


def _match(native: Native, value: LeafValue, way: Way, other: Way) -> float:
    """The points of the first way against the other."""
    microseconds, costs = effort_on_a_move(EFFORT / (2 * PAIRS), value.plies, LEAST, MOST), search_costs(native, value)
    contenders = [contender(one, value, costs, microseconds) for one in (way, other)]
    return sum(play(native.game, contenders, p, CONDITIONS).points()[0][1] for p in pairings(2, 2, PAIRS))


def contender(way: Way, value: LeafValue, costs: SearchCosts, microseconds: int) -> Contender:
    """Returns a search with so many microseconds on a move, by what searches cost."""
    judge = value if way.leaf else None
    if way.kind == "ab":
        return AlphaBetaContender(judge, max(1, int(1_000 * microseconds / costs.effort)))
    each = costs.judged if way.leaf else costs.played
    return TreeContender(forest.TreeStyle(judge, way.explore), max(1, int(microseconds / each)))
