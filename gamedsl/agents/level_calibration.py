"""The self-test that finds the iterations of the levels of a ruleset, by matches.

The highest level has a fixed effort. Below each level, the next one is looked for: games are played against candidates, and
after every mirrored pair the candidate is chosen again, by what all games so far say of the strength that twice the iterations
bring. Effort is counted and not timed, so the levels are the same on every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from typing import TYPE_CHECKING

import numpy as np

from gamedsl.agents.mcts import Mcts
from gamedsl.agents.position import compiled
from gamedsl.agents.random_positions import random_positions
from gamedsl.agents.tournament import MatchConditions, Pairing, pairings, play
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import Game

TARGET = 0.68  # the score of a level against the one below
EFFORT = 800_000  # of the highest level on a move, in plies of playouts
OVERHEAD = 20  # what an iteration counts, without its playout
HIDDEN = 4  # times as much in a game with hidden information
LEAST = 200  # iterations of the highest level
OPENING = 4  # random decisions at the start of a pair
MOST_PLIES = 300  # a longer game counts as a tie
SAMPLED = 10_000  # plies of the random games that show their length
SLOPES = np.geomspace(4.0, 600.0, 60)  # Elo points that twice the iterations bring
USUAL_SLOPE, SPREAD = 85.0, 0.6  # the median before any game, and the standard deviation of its logarithm


@lazy_dataclass(frozen=True)
class CalibrationBudget:
    """How long a self-test looks for each level: at most so many mirrored ``pairs``, and at least ``least`` of them, with an
    effort of about ``effort``. Without games, a level is what it is in most games."""

    pairs: int = 8
    least: int = 0
    effort: float = 30e6


USUAL_BUDGET = CalibrationBudget()


def calibrated(
    game: Game, usual: Sequence[int], budget: CalibrationBudget = USUAL_BUDGET, known: Sequence[int] = ()
) -> tuple[int, ...]:
    """Returns the iterations of the levels, the lowest first. ``usual``: those of most games, of which the last is the greatest
    that there are; they are shares of it for games in which such matches cannot be played. ``known``: those of the highest
    levels, which stay as they are."""
    plies = _plies_of_random_games(game)
    without_matches = _shares_of_highest(game, usual, plies)
    if game.num_players < 2:
        return without_matches
    found = list(known or without_matches[-1:])
    try:
        while len(found) < len(usual):
            found.insert(0, _level_below(game, found[0], plies, budget))
    except GameDSLError:
        return without_matches
    return tuple(found)


def expected(game: Game, usual: Sequence[int]) -> tuple[int, ...]:
    """Returns the iterations before any match: the highest level has its effort, and the others the usual shares of it."""
    return _shares_of_highest(game, usual, _plies_of_random_games(game))


def _shares_of_highest(game: Game, usual: Sequence[int], plies: float) -> tuple[int, ...]:
    top = min(usual[-1], max(LEAST, EFFORT / _effort_of_an_iteration(game, plies)))
    return tuple(round(top * number / usual[-1]) for number in usual)


def _plies_of_random_games(game: Game) -> float:
    """The mean length of random games. There is room for all of their positions, since a game is the last one when the
    room is full."""
    sample = random_positions(compiled(game), SAMPLED, SAMPLED)
    return sample.played / max(1, sample.games)


def _effort_of_an_iteration(game: Game, plies: float) -> float:
    return (OVERHEAD + plies) * (HIDDEN if game.secrets.hides else 1)


def _level_below(game: Game, upper: int, plies: float, budget: CalibrationBudget) -> int:
    """The iterations of the level below one with this many."""
    schedule = pairings(2, game.num_players, budget.pairs)
    of_a_pair = upper * _effort_of_an_iteration(game, plies) * min(plies, MOST_PLIES)
    pairs = int(min(budget.pairs, max(budget.least, budget.effort / of_a_pair)))
    chances = -(((np.log(SLOPES) - np.log(USUAL_SLOPE)) / SPREAD) ** 2) / 2
    for k in range(pairs):
        lower = _candidate(upper, chances)
        if lower == upper:
            return lower
        odds = SLOPES * log2(upper / lower) * (np.log(10) / 400)  # logarithms of the odds of the upper level
        for pairing in schedule[2 * k : 2 * k + 2]:
            got = _points(game, upper, lower, pairing)
            chances = chances + (got - 1) * odds - np.log1p(np.exp(-odds))
    return _candidate(upper, chances)


def _candidate(upper: int, chances: np.ndarray) -> int:
    """The iterations against which the expected score is the target; 1 if all are too strong."""
    weights = np.exp(chances - chances.max())
    weights /= weights.sum()
    low, high = 0.0, log2(upper)
    for _ in range(40):
        middle = (low + high) / 2
        score = float(weights @ (1 / (1 + 10 ** (-SLOPES * middle / 400))))
        low, high = (middle, high) if score < TARGET else (low, middle)
    return max(1, round(upper / 2**high))


def _points(game: Game, upper: int, lower: int, pairing: Pairing) -> float:
    """The points of the upper level in a game."""
    conditions = MatchConditions(upper, OPENING, None, MOST_PLIES)
    return play(game, [Mcts(upper, None), Mcts(lower, None)], pairing, conditions).points()[0][1]
