"""The match that decides whether a page has the level that judges positions by a learned value."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gamedsl.agents import forest
from gamedsl.agents.contender import CONDITIONS, TreeContender
from gamedsl.agents.kept_data import kept_data
from gamedsl.agents.levels import learned_iterations
from gamedsl.agents.position import compiled
from gamedsl.agents.tournament import pairings, play

if TYPE_CHECKING:
    from gamedsl.agents.learned_file import LearnedValue
    from gamedsl.engine import Game

ITERATIONS = 400  # of the other side in the match
PAIRS = 8  # of it, at most


def learned_points(game: Game, learned: LearnedValue) -> tuple[float, int]:
    """Returns the points that tree search with a learned value makes against tree search with playouts in mirrored pairs, and the
    number of games, with as many iterations as the levels give them. It is played once and kept in the code cache."""
    native = compiled(game)

    def match() -> tuple[float, int]:
        judged = TreeContender(forest.judged(learned.learner(native).value), learned_iterations((ITERATIONS,)))
        sides, points, games = [judged, TreeContender(forest.PLAIN, ITERATIONS)], 0.0, 0
        for pairing in pairings(2, 2, PAIRS):
            points += play(game, sides, pairing, CONDITIONS).points()[0][1]
            games += 1
            left = 2 * PAIRS - games
            if games % 2 == 0 and (points > PAIRS or points + left < PAIRS):
                break
        return points, games

    def read(found: Any) -> tuple[float, int]:
        points, games = found
        if not (0 <= float(points) <= int(games) <= 2 * PAIRS and games > 0):
            raise ValueError
        return float(points), int(games)

    return kept_data(native, f"learned level, {learned.content}", match, read)
