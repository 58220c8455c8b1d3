"""A run of training: generations of self-play until a budget is used up, and matches against fixed opponents."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from gamedsl.agents.agent_fits import must_be_a_duel
from gamedsl.agents.contender import AlphaBetaContender
from gamedsl.agents.leaf_value import MOST_WEIGHTS, Features, leaf_value
from gamedsl.agents.position import compiled
from gamedsl.agents.tournament import MatchConditions, pairings, play
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from threading import Event

    from gamedsl.agents.learning import Learner
    from gamedsl.engine import Game

PAIRS = 4  # of a match
MATCH_GAMES = 2 * PAIRS
EFFORT = 16_000  # on a move of a match, in the unit of ``alphabeta_memory``
OPENING, MOST_PLIES = 4, 300


@lazy_dataclass(frozen=True)
class Strength:
    """The points of ``MATCH_GAMES`` games against alpha-beta with equal effort, with playouts and with the value fitted to random
    games (None: there is none)."""

    playouts: float
    fitted: float | None


@lazy_dataclass(frozen=True)
class TrainingBudget:
    """How long to train: until a time (``time.monotonic``) and a number of games in all, whichever comes first (None:
    no bound)."""

    deadline: float | None
    games: int | None


def check_trainable(game: Game) -> None:
    """Raises ``UsageError`` with the reason if a value of this game cannot be learned."""
    must_be_a_duel(game.program, "train", "learn")
    native = compiled(game)
    width = Features.of(native.frame, native.program).width
    if width > MOST_WEIGHTS:
        raise UsageError(
            f"`train` cannot learn {game.title}: its positions have {width:,} features, more than {MOST_WEIGHTS:,}"
        )


def train(learner: Learner, budget: TrainingBudget, stop: Event) -> Iterator[bool]:
    """Learns generation after generation. Yields after each one whether the number of generations has doubled.

    A generation that the deadline or ``stop`` cuts off is not learned from, so the weights depend only on the seed and
    the number of games.
    """

    def is_over() -> bool:
        return stop.is_set() or (budget.deadline is not None and time.monotonic() >= budget.deadline)

    while (budget.games is None or learner.games < budget.games) and learner.learn(is_over):
        yield learner.generations & (learner.generations - 1) == 0


def strength(game: Game, learner: Learner, is_over: Callable[[], bool]) -> Strength | None:
    """Plays the matches. The same weights give the same results. Returns None if they were cut off."""
    points, fitted = list[float](), leaf_value(learner.native)
    for other in (None,) if fitted is None else (None, fitted):
        total, contenders = 0.0, [AlphaBetaContender(learner.value, EFFORT), AlphaBetaContender(other, EFFORT)]
        for pairing in pairings(2, 2, PAIRS):
            if is_over():
                return None
            outcome = play(game, contenders, pairing, MatchConditions(1, OPENING, None, MOST_PLIES))
            total += outcome.points()[0][1]
        points.append(total)
    return Strength(points[0], points[1] if len(points) > 1 else None)
