"""The searches with a bounded effort on a move that meet in self-tests, and the short matches that test leaf values."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from gamedsl.agents import deepening, forest
from gamedsl.agents.agent import Searcher
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.tournament import MatchConditions, PairScores, pairings, play
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.leaf_value import LeafValue
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.compiler import Native
    from gamedsl.engine import Game
    from gamedsl.lab.statistics import SequentialTest

EFFORT = 700_000  # of a game, in the unit of ``alphabeta_memory``
LEAST, MOST = 2_000, 32_000  # effort on a move
# of a self-test: four random decisions begin a pair, and a longer game counts as a tie
CONDITIONS = MatchConditions(1, 4, None, 200)


class Contender(Searcher):
    """A search in matches whose game it is known to play."""

    text = "contender"

    def check(self, game: Game) -> None:
        """Accepts the game."""

    def smallest(self) -> Contender:
        return self


@lazy_dataclass(frozen=True)
class AlphaBetaContender(Contender):
    """Alpha-beta with an ``effort`` on a move, in the unit of ``alphabeta_memory``. ``value``: see ``deepening``."""

    value: LeafValue | None
    effort: int

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        return deepening.search(position, seed, deepening.Budget(effort=self.effort), whole, self.value)


@lazy_dataclass(frozen=True)
class TreeContender(Contender):
    """Tree search with so many ``iterations`` on a move."""

    style: forest.TreeStyle
    iterations: int

    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        return forest.search([position.beside()], seed, self.iterations, None, self.style)


def match(native: Native, one: LeafValue, other: LeafValue | None, pairs: int) -> tuple[float, int]:
    """Plays pairs of games of alpha-beta with two values (see ``play_pairs``). ``other``: the other value (None: playouts)."""
    effort = int(min(MOST, max(LEAST, EFFORT / min(one.plies, CONDITIONS.most_plies))))
    return play_pairs(native, [AlphaBetaContender(value, effort) for value in (one, other)], pairs)


def play_pairs(native: Native, sides: Sequence[Contender], pairs: int) -> tuple[float, int]:
    """Plays at most so many mirrored pairs, until the rest cannot change who is ahead. Returns the points of the first
    side, and the number of games."""
    points, games = 0.0, 0
    for pairing in pairings(2, 2, pairs):
        points += play(native.game, sides, pairing, CONDITIONS).points()[0][1]
        games += 1
        left = 2 * pairs - games
        if games % 2 == 0 and (points > pairs or points + left < pairs):
            break
    return points, games


def play_tested(
    native: Native, sides: Sequence[Contender], test: SequentialTest, pairs: int, most_plies: int
) -> PairScores:
    """Plays at most so many mirrored pairs, until the test is decided or the games have had so many plies together. Returns the
    scores of the first side."""
    scores, plies = PairScores(test), 0
    for pairing in pairings(2, 2, pairs):
        outcome = play(native.game, sides, pairing, CONDITIONS)
        plies += outcome.plies
        if scores.add(outcome) or plies >= most_plies:
            break
    return scores


def kept_match(native: Native, name: str, play_match: Callable[[], tuple[float, int]], pairs: int) -> tuple[float, int]:
    """Returns the points and the number of games of a match of at most so many pairs, which is played once and kept in the
    code cache."""

    def read(found: Any) -> tuple[float, int]:
        points, games = found
        if not (0 <= float(points) <= int(games) <= 2 * pairs and games > 0):
            raise ValueError
        return float(points), int(games)

    return kept_data(native, name, play_match, read)
