"""What a search measures of a variant: whether it is sound, and how deep, long, fair and decisive it is."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Native, NativeError, compile_versions
from gamedsl.engine import Game, Secrets
from gamedsl.lab.base import Ints, Newest
from gamedsl.lab.rule_search.duel_kernel import COSTLY, FAILED, UNFINISHED
from gamedsl.lab.rule_search.duels import ENTRIES, DuelGames, duel_code, play_duels
from gamedsl.lab.statistics import bounded_mean
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

RUNGS = ((0, 0), (1, 1), (2, 2), (4, 4), (16, 8))  # players of the ladder: playouts, plies ahead
STEPS = len(RUNGS) - 1  # of the ladder: the greatest depth
FAR = 8  # plies that the players look ahead whose results are shown
FEWEST = 8  # games; if the first third of all, and at least these, have the same result, there are no more
LONG = 4_000_000  # steps of games for which slower code takes longer than to compile faster code
IN_ALL = 3  # times the steps of equal players: those of all figures, about
MOST_FIGURES, MOST_CODES = 10_000, 128  # that a process keeps
OPENING = 0  # random plies: a swap in the second ply must be a decision
REFUSED, STUCK, ENDLESS = "refused by check", "a rules error", "a game that does not end"
NOT_COMPILED, OUT_OF_REACH, TOO_COSTLY = "not compiled", "not for these players", "games that take too long to measure"


class VariantFigures(NamedTuple):
    """The figures of a variant. ``problem``: why it is unsound; then there are no figures.

    ``length``: plies between equal players. ``score``: the share of the points of the first seat among them, with its
    95 % interval. ``draws``: their share. ``depth``: levels of play: for each rung of the ladder, the points above an equal
    share of a player who makes more playouts, as a part of what is possible. ``games``: for each of these figures.
    """

    problem: str = ""
    length: float = 0.0
    score: float = 0.0
    low: float = 0.0
    high: float = 0.0
    draws: float = 0.0
    depth: float = 0.0
    games: int = 0

    @property
    def fairness(self) -> float:
        """1 if both seats have the same share of the points, 0 if one has all of them."""
        return 1 - 2 * abs(self.score - 0.5)


Key: TypeAlias = tuple[str, int, int, int, int]  # digest, games, playouts, seed, most

_figures = Newest[VariantFigures](MOST_FIGURES)
_codes = Newest[Native](MOST_CODES)


def why_out_of_reach(program: n.Program) -> str:
    """Returns the reason why the players of the search cannot play these rules; empty if they can."""
    hidden = Secrets(program).name()
    if hidden is not None:
        return f"`{hidden}` is hidden from somebody, and the players of the search would see it"
    if program.players.size != 2:
        return f"the search is for two players, and there are {program.players.size}"
    ends = [block.end for block in program.blocks]
    if any(isinstance(end, n.DecideTogether) for end in ends):
        return "players choose at the same time, and those of the search would see each other's choices"
    if any(isinstance(end, n.DecideDrawing) for end in ends):
        return "players draw, and those of the search cannot"
    return ""


def measure_variant(
    game: Game, games: int, playouts: int, seed: int, most: int, shared: Path | None = None
) -> VariantFigures:
    """Plays ``games`` games between equal players, who make ``playouts`` of each action, and as many for every rung of the
    ladder. ``most``: plies and outcomes of chance after which a game counts as one that does not end. Variants with the
    same rules, such as those with a trap that is never reached, have the same figures, which are made once. ``shared``: a
    folder in which several processes keep them for each other."""
    key = game.digest, games, playouts, seed, most

    def make() -> VariantFigures:
        return _measure_now(game, games, playouts, seed, most)

    file = _file(key, shared)
    if file is None:
        return _figures.find(key, make)
    return _figures.find(key, lambda: _read_figures(file) or _write_figures(file, make()))


def _file(key: Key, shared: Path | None) -> Path | None:
    """Returns the file in which processes keep figures for each other; None if they do not."""
    return None if shared is None or not shared.is_dir() else shared / "-".join(map(str, key))


def compile_variants(variants: Iterable[Game], plan: tuple[int, int, int, int], shared: Path | None) -> None:
    """Compiles variants that were not measured yet, those with the same variables together. ``plan``: all that the figures
    depend on besides the rules, as ``measure_variant`` takes it."""
    alike = defaultdict[object, dict[str, Game]](dict)
    for game in variants:
        key, file = (game.digest, *plan), _file((game.digest, *plan), shared)
        is_known = key in _figures or (game.digest, True) in _codes or (file is not None and file.is_file())
        if not is_known and not why_out_of_reach(game.program):
            alike[game.program.variables][game.digest] = game
    for games in (list(group.values()) for group in alike.values() if len(group) > 1):
        with suppress(NativeError):  # then each is compiled alone
            for number, code in compile_versions(games, ENTRIES, baseline=True).items():
                _codes.find((games[number].digest, True), lambda code=code: code)  # type: ignore[misc]


def _read_figures(file: Path) -> VariantFigures | None:
    try:
        return VariantFigures(*json.loads(file.read_text(encoding="utf-8")))
    except FileNotFoundError:
        return None


def _write_figures(file: Path, figures: VariantFigures) -> VariantFigures:
    beside = file.with_name(f"{file.name}-{os.getpid()}")
    with suppress(OSError):  # then others measure it themselves
        beside.write_text(json.dumps(figures), encoding="utf-8")
        beside.replace(file)
    return figures


def _measure_now(game: Game, games: int, playouts: int, seed: int, most: int) -> VariantFigures:
    if why_out_of_reach(game.program):
        return VariantFigures(OUT_OF_REACH)
    try:
        return _measure(game, games, playouts, seed, most)
    except NativeError:
        return VariantFigures(NOT_COMPILED)
    except GameDSLError:
        return VariantFigures(STUCK)


def _measure(game: Game, games: int, playouts: int, seed: int, most: int) -> VariantFigures:
    native, tried = _code(game, baseline=True), max(FEWEST, games // 3)
    equal = np.full((games, 2, 2), (playouts, FAR), np.int64)
    even = play_duels(native, equal[:tried], seed, most, OPENING)
    points = _points(even)
    if problem := _problem(even):
        return VariantFigures(problem)
    if tried >= games or (points == points[0]).all():
        games = len(points)
    if IN_ALL * even.steps.sum() * (games / tried) > LONG:
        native = _code(game, baseline=False)
    if tried < games:
        even = even.followed_by(play_duels(native, equal[tried:], seed + len(RUNGS), most, OPENING))
    rungs = [_rung(native, pair, (games, seed + k), most) for k, pair in enumerate(pairwise(RUNGS), 1)]
    for played in (even, *(rung for rung, _ in rungs)):
        if problem := _problem(played):
            return VariantFigures(problem)
    score = bounded_mean(_points(even)[:, 0], 0, 1)
    assert score is not None and score.low is not None and score.high is not None
    drawn = even.results[:, 0] == even.results[:, 1]
    depth = sum(max(0.0, 2 * float(points.mean()) - 1) for _, points in rungs)
    return VariantFigures(
        "", float(even.plies.mean()), score.value, score.low, score.high, float(drawn.mean()), depth, games
    )


def _code(game: Game, baseline: bool) -> Native:
    """Compiles rules, unless this process did so not long ago: the best of their kind are measured more than once."""
    return _codes.find((game.digest, baseline), lambda: duel_code(game.program, game, baseline))


def _problem(games: DuelGames) -> str:
    """Returns what is wrong with games; empty if nothing is."""
    found = set(games.status.tolist())
    return STUCK if FAILED in found else TOO_COSTLY if COSTLY in found else ENDLESS if UNFINISHED in found else ""


def _rung(
    native: Native, pair: tuple[tuple[int, int], tuple[int, int]], run: tuple[int, int], most: int
) -> tuple[DuelGames, npt.NDArray[np.float64]]:
    """Plays games of one stronger player, in each seat in turn, against a weaker one. Returns them and its points."""
    (weaker, stronger), (games, seed) = pair, run
    players: Ints = np.full((games, 2, 2), weaker, np.int64)
    seats = np.arange(games) % 2
    players[np.arange(games), seats] = stronger
    played = play_duels(native, players, seed, most, OPENING)
    return played, _points(played)[np.arange(games), seats]


def _points(played: DuelGames) -> npt.NDArray[np.float64]:
    """Returns the points of each seat: 1 for the greater utility, 1/2 each for equal ones."""
    first, second = played.results.T
    points: npt.NDArray[np.float64] = 0.5 + 0.5 * np.sign(np.stack([first - second, second - first], axis=1))
    return points
