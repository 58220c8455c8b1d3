"""The match that decides whether a page has the level that judges positions by a learned value."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.agents import forest
from gamedsl.agents.contender import TreeContender, kept_match, play_pairs
from gamedsl.agents.levels import learned_iterations
from gamedsl.agents.net import Net
from gamedsl.agents.position import compiled

if TYPE_CHECKING:
    from gamedsl.agents.learned_file import LearnedValue
    from gamedsl.engine import Game

ITERATIONS = 400  # of the other side in the match
PAIRS = 8  # of it, at most


def learned_points(game: Game, path: str) -> tuple[LearnedValue, float, int]:
    """Reads a learned value. Returns it with the points that tree search with it makes against tree search with playouts in mirrored
    pairs, and the number of games, with as many iterations as the levels give them. The match is played once and kept in the code
    cache. Raises ``UsageError`` or ``GameDSLError`` as ``net:FILE`` does."""
    agent = Net(path)
    agent.check(game)
    native, learned = compiled(game), agent.learned

    def match() -> tuple[float, int]:
        judged = TreeContender(forest.judged(learned.learner(native).value), learned_iterations((ITERATIONS,)))
        return play_pairs(native, [judged, TreeContender(forest.PLAIN, ITERATIONS)], PAIRS)

    return learned, *kept_match(native, f"learned level, {learned.content}", match, PAIRS)
