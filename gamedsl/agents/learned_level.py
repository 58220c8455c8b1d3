"""The match that decides whether a page or a table has the level that judges positions by a learned value."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gamedsl.agents import forest
from gamedsl.agents.contender import TreeContender, kept_match, play_pairs
from gamedsl.agents.learned_file import read_learned, refused, value_file
from gamedsl.agents.levels import LEARNED, learned_iterations
from gamedsl.agents.net import Net
from gamedsl.agents.position import compiled
from gamedsl.language.source import GameDSLError

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


def level_from_file(game: Game, path: str, says: Callable[[str], None]) -> LearnedValue | None:
    """Returns the value in a file, or None if it is weaker than playouts. ``says`` is called with the result of the match. Raises
    as ``learned_points``."""
    learned, points, games = learned_points(game, path)
    is_weaker = 2 * points < games
    effect = f"there is no level `{LEARNED}`" if is_weaker else f"it plays as the level `{LEARNED}`"
    says(f"{path}: {points:g} of {games} points against tree search with playouts; {effect}")
    return None if is_weaker else learned


def level_beside(
    ruleset: str, load: Callable[[Mapping[str, str]], Game], says: Callable[[str], None]
) -> LearnedValue | None:
    """Returns the value that ``train`` has left for a ruleset, given as for ``load_program``; None if there is none, if it cannot
    be used, and if it is weaker than playouts. ``load``: returns the game that is to be played with the value, given the options
    for which it was learned; ``says`` is called with the result of the match, or the reason why the value cannot be used."""
    path = value_file(ruleset)
    if not path.is_file():
        return None
    try:
        return level_from_file(_loaded(path, load), str(path), says)
    except GameDSLError as error:
        says(f"{error.diagnostics[0].message}; there is no level `{LEARNED}`")
        return None


def _loaded(path: Path, load: Callable[[Mapping[str, str]], Game]) -> Game:
    options = dict(read_learned(path).options)
    try:
        return load(options)
    except GameDSLError as error:
        raise refused(str(path), f"the rules do not take its options: {error.diagnostics[0].message}") from error
