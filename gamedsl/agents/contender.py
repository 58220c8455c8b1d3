"""Alpha-beta with a bounded effort on a move, and the short matches in which it tests leaf values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from gamedsl.agents import deepening
from gamedsl.agents.agent import Searcher
from gamedsl.agents.tournament import MatchConditions, pairings, play

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.compiler import Native
    from gamedsl.engine import Game

OPENING = 4  # random decisions at the start of a pair
EFFORT = 700_000  # of a game, in the unit of ``alphabeta_memory``
LEAST, MOST = 2_000, 32_000  # effort on a move
MOST_PLIES = 200  # a longer game counts as a tie


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


def match(native: Native, one: LeafValue, other: LeafValue | None, pairs: int) -> tuple[float, int]:
    """Plays at most so many mirrored pairs, until the rest cannot change who is ahead. Returns the points of the first
    value, and the number of games. ``other``: the other value (None: playouts)."""
    effort = int(min(MOST, max(LEAST, EFFORT / min(one.plies, MOST_PLIES))))
    contenders = [Contender(one, effort), Contender(other, effort)]
    conditions, points, games = MatchConditions(1, OPENING, None, MOST_PLIES), 0.0, 0
    for pairing in pairings(2, 2, pairs):
        points += play(native.game, contenders, pairing, conditions).points()[0][1]
        games += 1
        left = 2 * pairs - games
        if games % 2 == 0 and (points > pairs or points + left < pairs):
            break
    return points, games
