"""What a search measures of a variant: whether it is sound, and how deep, long, fair and decisive it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gamedsl.compiler import Native, NativeError
from gamedsl.engine import Game
from gamedsl.lab.base import Ints
from gamedsl.lab.rule_search.duel_kernel import FAILED, UNFINISHED
from gamedsl.lab.rule_search.duels import DuelGames, play_duels
from gamedsl.language.source import GameDSLError

RUNGS = (0, 1, 4, 16)  # playouts of each action that the players of the ladder make
EVEN = 4  # of the players whose games show results and lengths
OPENING = 0  # random plies: a swap in the second ply must be a decision
NO_START, STUCK, ENDLESS, NOT_COMPILED = "refused by check", "a rules error", "a game that does not end", "not compiled"


class VariantFigures(NamedTuple):
    """The figures of a variant. ``problem``: why it is unsound; then there are no figures.

    ``length``: plies between equal players. ``advantage``: the share of the points of the seat that moves first, minus an
    equal share. ``draws``: their share. ``depth``: levels of play: for each rung of the ladder, the points above an equal
    share of a player who makes more playouts, as a part of what is possible.
    """

    problem: str = ""
    length: float = 0.0
    advantage: float = 0.0
    draws: float = 0.0
    depth: float = 0.0
    games: int = 0

    @property
    def quality(self) -> float:
        """How fair and decisive the variant is, between 0 and 1."""
        return max(0.0, 1 - 2 * abs(self.advantage)) * (1 - self.draws)


def measure_variant(game: Game, games: int, seed: int, most: int) -> VariantFigures:
    """Plays ``games`` games between equal players, and as many for every rung of the ladder. ``most``: plies after which a
    game counts as one that does not end."""
    try:
        native = Native(game.program, game, keep=False, baseline=True)
        return _measure(native, games, seed, most)
    except NativeError:
        return VariantFigures(NOT_COMPILED)
    except GameDSLError:
        return VariantFigures(STUCK)


def _measure(native: Native, games: int, seed: int, most: int) -> VariantFigures:
    players = native.num_players
    even = play_duels(native, np.full((games, players), EVEN, np.int64), seed, most, OPENING)
    rungs = [
        _rung(native, pair, (games, seed + k), most) for k, pair in enumerate(zip(RUNGS[1:], RUNGS, strict=False), 1)
    ]
    for played in (even, *(rung for rung, _ in rungs)):
        if (played.status == FAILED).any():
            return VariantFigures(STUCK)
        if (played.status == UNFINISHED).any():
            return VariantFigures(ENDLESS)
    first = _points(even)[:, 0]
    drawn = (even.results == even.results[:, :1]).all(axis=1)
    shares = [(float(points.mean()) - 1 / players) / (1 - 1 / players) for _, points in rungs]
    return VariantFigures(
        "", float(even.plies.mean()), float(first.mean()) - 1 / players, float(drawn.mean()), sum(max(0.0, s) for s in shares),
        games,
    )  # fmt: skip


def _rung(native: Native, pair: Sequence[int], run: tuple[int, int], most: int) -> tuple[DuelGames, np.ndarray]:
    """Plays games of one stronger player, in each seat in turn, against weaker ones. Returns them and its points."""
    (stronger, weaker), (games, seed), players = pair, run, native.num_players
    playouts: Ints = np.full((games, players), weaker, np.int64)
    seats = np.arange(games) % players
    playouts[np.arange(games), seats] = stronger
    played = play_duels(native, playouts, seed, most, OPENING)
    return played, _points(played)[np.arange(games), seats]


def _points(played: DuelGames) -> np.ndarray:
    """Returns the points of each seat: those with the greatest utility share one."""
    best = played.results == played.results.max(axis=1, keepdims=True)
    points: np.ndarray = best / best.sum(axis=1, keepdims=True)
    return points
