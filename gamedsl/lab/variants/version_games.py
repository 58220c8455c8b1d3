"""The games of one version of a game: results, lengths and choices, game by game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Native, NativeError, NativeGame
from gamedsl.engine import Game
from gamedsl.lab.metrics import MeasuredPlayer, RecordedGames, TracePlan, play_random_games
from gamedsl.lab.simulate import PLAY_ENTRIES, outcome
from gamedsl.lab.solve import Solved, solve
from gamedsl.language.source import GameDSLError

Numbers = npt.NDArray[np.float64]
Stopped = Callable[[], bool]
KEPT = 64  # rules that stay compiled in a process: those of a sweep come again in its next round
_compiled: dict[str, Native] = {}


@dataclass(frozen=True)
class VersionPlan:
    """How versions are measured.

    ``games``: of random players. ``player``: makes the player of searched games, if there are any (``searched``).
    ``identity``: everything on which the player's moves depend.
    ``limit``: positions within which a version is solved. ``most``: a longer game is cut off.
    """

    games: int = 2000
    seed: int = 0
    limit: int = 2000
    most: int = 2000
    player: Callable[[Game], MeasuredPlayer] | None = None
    searched: int = 20
    identity: str = ""


@dataclass(frozen=True)
class VersionGames:
    """Games of one version. Per game: ``results`` (-1, 0, 1; shape (games, players)), ``lengths`` and ``choices`` (the
    mean of its decisions). Games that were cut off (``unfinished``) count as draws. ``points``: utilities.
    """

    results: Numbers
    lengths: Numbers
    choices: Numbers
    unfinished: int
    points: Numbers

    def __len__(self) -> int:
        return len(self.lengths)

    def is_equal(self, other: VersionGames) -> bool:
        """Whether both have the same games, as far as results, lengths and choices show it."""
        pairs = ((self.points, other.points), (self.lengths, other.lengths), (self.choices, other.choices))
        return self.unfinished == other.unfinished and all(np.array_equal(a, b) for a, b in pairs)


def play_version(game: Game, plan: VersionPlan, stopped: Stopped, numbers: range | None = None) -> VersionGames | None:
    """Makes random games, those with these numbers (None: all of the plan). The same numbers choose the moves of all
    versions, so equal rules give equal games. None if the rules fail, or players draw.
    """
    numbers = range(plan.games) if numbers is None else numbers
    try:
        native = _compile(game)
        found = play_random_games(game, numbers, plan.seed, plan.most, stopped, native)
    except (GameDSLError, NativeError):
        return None
    if found is None:
        return None
    points = np.where(found.finished[:, None], found.results, 0).astype(np.float64)
    lengths = found.lengths.astype(np.float64)
    choices = found.choices[:, 0] / np.maximum(lengths, 1)
    return VersionGames(_outcomes(points), lengths, choices, int((~found.finished).sum()), points)


def _compile(game: Game) -> Native:
    """Compiles the rules for random games, unless this process did so not long ago. Raises ``NativeError``."""
    native = _compiled.pop(game.digest, None) or Native(
        game.program, game, keep=False, baseline=True, only=PLAY_ENTRIES
    )
    _compiled[game.digest] = native  # now the newest
    if len(_compiled) > KEPT:
        del _compiled[next(iter(_compiled))]
    return native


def play_searched(game: Game, plan: VersionPlan, stopped: Stopped, numbers: range | None = None) -> VersionGames | None:
    """Makes games of the plan's player, those with these numbers (None: all of the plan); None if there is none, or it
    cannot play this version."""
    numbers = range(plan.searched) if numbers is None else numbers
    if plan.player is None:
        return None
    try:
        native = NativeGame(game.program)
        traced = TracePlan(native, plan.player(native), plan.seed, plan.most, assess=False)
        traces = RecordedGames(traced).answer(numbers.start, len(numbers), stopped)
    except GameDSLError:
        return None
    if not traces:
        return None
    nothing = (0.0,) * game.num_players
    points = np.array([t.returns or nothing for t in traces], dtype=np.float64)
    decisions = [[c for s, c in zip(t.seats, t.choices, strict=True) if s >= 0] for t in traces]
    lengths = np.array([len(d) for d in decisions], dtype=np.float64)
    choices = np.array([sum(d) / max(1, len(d)) for d in decisions], dtype=np.float64)
    return VersionGames(_outcomes(points), lengths, choices, sum(not t.finished for t in traces), points)


def solve_version(game: Game, limit: int) -> Solved | None:
    """Solves a version if all its positions are within the limit."""
    if not limit:
        return None
    try:
        found = solve(game.initial_state(), method="graph", limit=limit)
    except GameDSLError:
        return None
    return found if found.complete and found.known else None


def _outcomes(points: Numbers) -> Numbers:
    kinds, numbers = np.unique(points, axis=0, return_inverse=True)
    table = [[outcome(tuple(row), seat) for seat in range(points.shape[1])] for row in kinds.tolist()]
    return np.array(table, dtype=np.float64)[numbers.ravel()]
