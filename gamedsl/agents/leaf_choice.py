"""The self-test of the leaf value: a short match of alpha-beta with it against alpha-beta with playouts.

Both spend the same effort on a move, counted in steps of the rules and not in seconds, so the decision is the same on
every machine. It is made once for a ruleset and kept in the code cache.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from gamedsl.agents import deepening
from gamedsl.agents.agent import Searcher
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.leaf_value import LeafValue, leaf_value
from gamedsl.agents.position import once
from gamedsl.agents.tournament import MatchConditions, pairings, play

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.compiler import Native
    from gamedsl.engine import Game

PAIRS = 3  # mirrored pairs of games, at most
OPENING = 4  # random decisions at the start of a pair
EFFORT = 4_000_000  # of the whole match, in the unit of ``alphabeta_memory``
LEAST, MOST = 2_000, 32_000  # effort on a move
MOST_PLIES = 200  # a longer game counts as a tie


@dataclass(frozen=True)
class LeafChoice:
    """``value``: the leaf value that alpha-beta uses (None: playouts); ``text``: the choice and its reason, in words."""

    value: LeafValue | None
    text: str


@dataclass(frozen=True)
class Contender(Searcher):
    """Alpha-beta with a bounded effort on a move."""

    value: LeafValue | None
    effort: int

    text = "contender"

    def check(self, game: Game) -> None:
        """Accepts the game, for which the choice is asked."""

    def smallest(self) -> Contender:
        return self

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        return deepening.search(position, seed, deepening.Budget(effort=self.effort), whole, self.value)


def leaf_choice(native: Native, forced: str | None = None) -> LeafChoice:
    """Returns the choice for a ruleset. ``forced``: the choice without a test, ``linear`` or ``playouts``."""
    if forced == "playouts":
        return LeafChoice(None, "playouts, as asked")
    value = leaf_value(native)
    if value is None:
        return LeafChoice(None, "playouts, because random games teach no linear leaf value")
    if forced == "linear":
        return LeafChoice(value, "a linear leaf value, as asked")
    points, games = once(native, "leaf_test", partial(_tested, native, value))
    if 2 * points >= games:
        found = LeafChoice(
            value, f"a linear leaf value ({points:g} of {games} points against playouts in the self-test)"
        )
    else:
        lost = f"a linear leaf value got {points:g} of {games} points against them in the self-test"
        found = LeafChoice(None, f"playouts ({lost})")
    logging.getLogger("gamedsl").info("ab: %s", found.text)
    return found


def _tested(native: Native, value: LeafValue) -> tuple[float, int]:
    """The points of the leaf value, and the number of games."""

    def read(found: Any) -> tuple[float, int]:
        points, games = found
        if not (0 <= float(points) <= int(games) <= 2 * PAIRS and games > 0):
            raise ValueError
        return float(points), int(games)

    return kept_data(native, "leaf test", lambda: _match(native, value), read)


def _match(native: Native, value: LeafValue) -> tuple[float, int]:
    """Plays pairs until the rest cannot change who is ahead."""
    expected = min(value.plies, MOST_PLIES)
    effort = int(min(MOST, max(LEAST, EFFORT / (2 * PAIRS * expected))))
    contenders = [Contender(value, effort), Contender(None, effort)]
    conditions, game, points, games = MatchConditions(1, OPENING, None, MOST_PLIES), native.game, 0.0, 0
    for pairing in pairings(2, 2, PAIRS):
        points += play(game, contenders, pairing, conditions).points()[0][1]
        games += 1
        left = 2 * PAIRS - games
        if games % 2 == 0 and (points >= PAIRS or points + left < PAIRS):
            break
    return points, games
