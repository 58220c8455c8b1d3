"""The parts into which the measurement of a combination is divided: blocks of games, the exact value, the ladder."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from typing import Any, NamedTuple, TypeVar

import numpy as np

from gamedsl.engine import Game
from gamedsl.lab.shards import Question
from gamedsl.lab.variants import VersionGames, VersionPlan, play_searched, play_version, solve_version
from gamedsl.language.source import GameDSLError, lazy_dataclass

RANDOM_BLOCK, SEARCHED_BLOCK = 5000, 10  # games that are made together

Levels = Callable[[Game], tuple[float, float, float]]  # levels of play, and the ends of their 95 % interval
A = TypeVar("A")


@lazy_dataclass(frozen=True)
class CombinationPart(Question[list[A]]):
    """A part of the measurement of one game. It has one item."""

    game: Game

    @property
    @abstractmethod
    def name(self) -> str: ...

    @property
    @abstractmethod
    def settings(self) -> Mapping[str, Any]: ...

    @property
    def about(self) -> Mapping[str, Any]:
        return {"question": self.name, "digest": self.game.digest, "options": self.game.options, **self.settings}


class GameRows(NamedTuple):
    """The games of a block, as in ``VersionGames``; no rows if players draw or the rules go wrong."""

    results: Sequence[Sequence[float]] = ()
    lengths: Sequence[float] = ()
    choices: Sequence[float] = ()
    unfinished: int = 0
    points: Sequence[Sequence[float]] = ()


@lazy_dataclass(frozen=True)
class GamesPart(CombinationPart[GameRows]):
    """The games with the numbers ``first`` to ``first + count - 1``, of random players or of the plan's player."""

    plan: VersionPlan
    first: int
    count: int

    name = "games of a combination"

    @property
    def settings(self) -> Mapping[str, Any]:
        plan = self.plan
        player = plan.identity if plan.player is not None else "random"
        return {"player": player, "seed": plan.seed, "most": plan.most, "first": self.first, "count": self.count}

    @property
    def is_repeatable(self) -> bool:
        return self.plan.player is None or not self.plan.player(self.game).is_timed

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[GameRows]:
        play = play_version if self.plan.player is None else play_searched
        found = play(self.game, self.plan, stopped, range(self.first, self.first + self.count))
        if stopped() and (found is None or len(found) < self.count):
            return []
        if found is None:
            return [GameRows()]
        rows = found.results.tolist(), found.lengths.tolist(), found.choices.tolist()
        return [GameRows(*rows, found.unfinished, found.points.tolist())]

    def size(self, answer: list[GameRows]) -> int:
        for rows in answer:
            players, columns = self.game.num_players, (rows.results, rows.lengths, rows.choices, rows.points)
            if any(len(column) not in (0, self.count) or len(column) != len(rows.points) for column in columns):
                raise ValueError("there is another number of games")
            numbers = [*(row for many in (rows.results, rows.points) for row in many), rows.lengths, rows.choices]
            if any(len(row) != players for row in (*rows.results, *rows.points)):
                raise ValueError("a game has other players")
            if not all(isfinite(number) for row in numbers for number in row):
                raise ValueError("a figure is not finite")
        return len(answer)


@lazy_dataclass(frozen=True)
class ValuePart(CombinationPart[float | None]):
    """The first seat's utility with best play; None unless ``limit`` positions suffice."""

    limit: int

    name = "best play of a combination"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"limit": self.limit}

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[float | None]:
        solved = solve_version(self.game, self.limit)
        return [None if solved is None else float(solved.bounds[0][0])]

    def size(self, answer: list[float | None]) -> int:
        if not all(value is None or isfinite(value) for value in answer):
            raise ValueError("a figure is not finite")
        return len(answer)


class Depth(NamedTuple):
    """The levels of the ladder with their interval, or why there are none."""

    levels: tuple[float, float, float] = (0.0, 0.0, 0.0)
    problem: str = ""


@lazy_dataclass(frozen=True)
class DepthPart(CombinationPart[Depth]):
    """The levels of play. ``ladder``: everything on which they depend besides the game."""

    levels: Levels
    ladder: str

    name = "depth of a combination and its interval"

    @property
    def settings(self) -> Mapping[str, Any]:
        return {"ladder": self.ladder}

    def answer(self, first: int, count: int, stopped: Callable[[], bool]) -> list[Depth]:
        try:
            return [Depth(self.levels(self.game))]
        except GameDSLError as problem:
            return [Depth(problem=problem.diagnostics[0].message)]

    def size(self, answer: list[Depth]) -> int:
        if not all(all(map(isfinite, depth.levels)) and depth.problem.isprintable() for depth in answer):
            raise ValueError("a figure is not finite, or a string cannot be printed")
        return len(answer)


def game_parts(game: Game, plan: VersionPlan, games: int) -> Iterator[GamesPart]:
    """Yields the blocks of the first games of a combination."""
    block = RANDOM_BLOCK if plan.player is None else SEARCHED_BLOCK
    for first in range(0, games, block):
        yield GamesPart(game, plan, first, min(block, games - first))


def joined(blocks: Sequence[GameRows]) -> VersionGames | None:
    """Returns the games of several blocks; None if one of them has none."""
    if not all(block.points for block in blocks):
        return None
    results, lengths, choices, points = (
        np.concatenate([np.array(getattr(block, name), np.float64) for block in blocks])
        for name in ("results", "lengths", "choices", "points")
    )
    return VersionGames(results, lengths, choices, sum(block.unfinished for block in blocks), points)
