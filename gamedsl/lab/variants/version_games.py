"""The games of one version of a game: results, lengths and choices, game by game."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import process_time

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import STATE_ENTRIES, Native, NativeError, NativeGame, VersionNative, compile_versions
from gamedsl.engine import Game
from gamedsl.lab.base import Newest
from gamedsl.lab.metrics import MeasuredPlayer, RecordedGames, TracePlan, play_random_games
from gamedsl.lab.mutation import can_compile
from gamedsl.lab.simulate import DRAW, PLAY_ENTRIES, outcome
from gamedsl.lab.solve import Solved, solve
from gamedsl.lab.variants.visited_positions import fans_out, visits_more
from gamedsl.language.source import GameDSLError, lazy_dataclass

Numbers = npt.NDArray[np.float64]
Stopped = Callable[[], bool]
KEPT = 64  # rules that stay compiled in a process: those of a sweep come again in its next round
WORTHWHILE = 14  # optimizing takes up to 7 times as long as compiling baseline code


@lazy_dataclass(frozen=True)
class VersionPlan:
    """How versions are measured.

    ``games``: of random players. ``player``: makes the player of searched games, if there are any (``searched``).
    ``identity``: everything on which the player's moves depend.
    ``limit``: positions within which a version is solved. ``most``: a longer game is cut off. ``in_steps``: the random
    games end as soon as they decide (see ``games_in_steps``), and less is done to shorten a game that shows a difference.
    """

    games: int = 2000
    seed: int = 0
    limit: int = 2000
    most: int = 2000
    player: Callable[[Game], MeasuredPlayer] | None = None
    searched: int = 20
    identity: str = ""
    in_steps: bool = False


@lazy_dataclass(frozen=True)
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

    @property
    def cut_off(self) -> float:
        """The share of games that were cut off."""
        return self.unfinished / len(self)

    @property
    def listed(self) -> float:
        """The number of choices of all decisions."""
        return float(self.choices @ self.lengths)

    def is_equal(self, other: VersionGames) -> bool:
        """Whether both have the same games, as far as results, lengths and choices show it."""
        pairs = ((self.points, other.points), (self.lengths, other.lengths), (self.choices, other.choices))
        return self.unfinished == other.unfinished and all(np.array_equal(a, b) for a, b in pairs)

    def shortest_difference(self, other: VersionGames) -> int | None:
        """Returns the number of the shortest game that differs in ``other``, as far as results, lengths and choices show
        it; None if no game does. The games are those from 0 in both."""
        size = min(len(self), len(other))
        if self.points.shape[1] != other.points.shape[1]:  # another number of players
            differs = np.ones(size, dtype=bool)
        else:
            differs = (self.points[:size] != other.points[:size]).any(axis=1)
        for mine, others in ((self.lengths, other.lengths), (self.choices, other.choices)):
            differs |= mine[:size] != others[:size]
        numbers = np.flatnonzero(differs)
        return int(numbers[np.minimum(self.lengths, other.lengths)[numbers].argmin()]) if len(numbers) else None


def play_version(
    game: Game, plan: VersionPlan, stopped: Stopped, numbers: range | None = None, every: int = 1
) -> VersionGames | None:
    """Makes random games, those with these numbers (None: all of the plan). The same numbers choose the moves of all
    versions, so equal rules give equal games. ``every``: how they are made; see ``simulate.Plan``. None if the rules fail,
    or players draw.
    """
    numbers = range(plan.games) if numbers is None else numbers
    if not can_compile(game):
        return None
    try:
        rules = _compile(game, plan.in_steps)
        native = _code_for(rules, game, numbers.start, plan.games)
        began = process_time()
        found = play_random_games(game, numbers, plan.seed, plan.most, stopped, native, every)
        if native is rules.baseline:
            rules.playing = (process_time() - began) / len(numbers)
    except (GameDSLError, NativeError):
        return None
    if found is None:
        return None
    points = np.where(found.finished[:, None], found.results, 0).astype(np.float64)
    lengths = found.lengths.astype(np.float64)
    choices = found.choices[:, 0] / np.maximum(np.ceil(lengths / every), 1)
    return VersionGames(_outcomes(points), lengths, choices, int((~found.finished).sum()), points)


@lazy_dataclass()
class _Compiled:
    """The rules for random games: baseline code, which took ``compiling`` seconds of processor time, and a game of which
    takes ``playing`` (0: unknown); perhaps optimized code, and compiled ``states``."""

    baseline: Native
    compiling: float
    playing: float = 0.0
    optimized: Native | None = None
    states: NativeGame | None = None


_compiled = Newest[_Compiled](KEPT)


def compile_states(game: Game) -> Game:
    """Returns the same rules with compiled states, which list moves many times as fast: by the code that was compiled for
    random games. ``game`` itself if they cannot be compiled."""
    if not can_compile(game):
        return game
    try:
        rules = _compile(game, for_states=True)
    except NativeError:
        return game
    native = rules.baseline
    program = native.program if isinstance(native, VersionNative) else game.program  # messages may differ
    if rules.states is None or rules.states.program is not program:
        rules.states = NativeGame(program, native=native)
    return rules.states


def code_of(game: Game, for_states: bool) -> Native:
    """Returns the code that was compiled for random games. ``for_states``: with entry points for states. Raises
    ``NativeError``."""
    return _compile(game, for_states).baseline


def _compile(game: Game, for_states: bool = False) -> _Compiled:
    entries = _entries(for_states)
    return _compiled.find((game.digest, entries), lambda: _compile_now(game, entries))


def _entries(for_states: bool) -> tuple[str, ...]:
    return (*PLAY_ENTRIES, DRAW, *STATE_ENTRIES) if for_states else (*PLAY_ENTRIES, DRAW)


def compile_together(games: Sequence[Game], for_states: bool) -> None:
    """Compiles the rules of games together, as far as they can be merged with the first ones. Others are compiled alone
    when they are needed."""
    entries = _entries(for_states)
    try:
        codes = compile_versions(games, entries)
    except NativeError:
        return
    for number, code in codes.items():
        _compiled.find((games[number].digest, entries), lambda code=code: _Compiled(code, 0.0, optimized=code))  # type: ignore[misc]


def _compile_now(game: Game, entries: tuple[str, ...]) -> _Compiled:
    began = process_time()
    native = Native(game.program, game, keep=False, baseline=True, only=entries)
    for name in PLAY_ENTRIES:
        native.address(name)
    return _Compiled(native, process_time() - began)


def _code_for(rules: _Compiled, game: Game, done: int, games: int) -> Native:
    """Returns the code for what is left of so many games: optimized code if a quarter of them was made, and the others
    would take longer than compiling takes. Raises ``NativeError``."""
    left = rules.playing * (games - done)
    if rules.optimized is None and 4 * done >= games and left > WORTHWHILE * rules.compiling:
        rules.optimized = Native(game.program, game, keep=False, only=_entries(for_states=False))
    return rules.optimized or rules.baseline


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


def solve_version(game: Game, limit: int, for_states: bool = False) -> Solved | None:
    """Solves a version if all its positions are within the limit. ``for_states``: see ``has_more``."""
    if not limit or has_more(game, limit, for_states):
        return None
    try:
        found = solve(game.initial_state(), method="graph", limit=limit)
    except GameDSLError:
        return None
    return found if found.complete and found.known else None


def has_more(game: Game, number: int, for_states: bool = False) -> bool:
    """Whether random games show that the game has more than this many positions. ``for_states``: the code that is compiled
    serves compiled states too."""
    try:
        if not can_compile(game):
            return False
        if for_states and fans_out(compile_states(game), number):
            return True
        return visits_more(game, _compile(game, for_states).baseline, number)
    except NativeError:
        return False


def joined(parts: Sequence[VersionGames]) -> VersionGames:
    """Returns the games of all parts, in this order."""
    rows = [[getattr(part, name) for part in parts] for name in ("results", "lengths", "choices", "points")]
    results, lengths, choices, points = (np.concatenate(row) for row in rows)
    return VersionGames(results, lengths, choices, sum(part.unfinished for part in parts), points)


def _outcomes(points: Numbers) -> Numbers:
    kinds, numbers = np.unique(points, axis=0, return_inverse=True)
    table = [[outcome(tuple(row), seat) for seat in range(points.shape[1])] for row in kinds.tolist()]
    return np.array(table, dtype=np.float64)[numbers.ravel()]
