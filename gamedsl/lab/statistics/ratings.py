"""Elo ratings from results, by the Bradley-Terry model."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from gamedsl.lab.statistics.estimates import Z95
from gamedsl.language.source import lazy_dataclass

SCALE = 400.0 / math.log(10.0)  # Elo points per unit of log odds (natural logarithm)
_STEPS = 100


@lazy_dataclass(frozen=True)
class Ratings:
    """``elo``: the ratings, with mean 0. The true rating lies within ``margin[i]`` of ``elo[i]`` with 95 %
    confidence. ``propped``: a tie was added to every pair because some had won or lost everything.
    """

    elo: tuple[float, ...]
    margin: tuple[float, ...]
    propped: bool


def rate(points: Sequence[Sequence[float]]) -> Ratings:
    """Returns the maximum-likelihood ratings. ``points[i][j]``: points of i against j (a tie gives each half a
    point).

    Fits P(i beats j) = 1 / (1 + 10^((elo j - elo i) / 400)) (Bradley and Terry, "Rank analysis of incomplete
    block designs", 1952) by Newton's method. The margins come from the inverse Fisher information, which treats a
    tie as a game decided by a coin and so errs on the wide side. If an agent has won or lost everything against
    the others, the likelihood has no maximum (Ford, "Solution of a ranking problem from binary comparisons",
    1957); a tie is then added to every pair.
    """
    won = np.array(points, dtype=np.float64)
    propped = not _is_connected(won)
    if propped:
        won = won + 0.5 * (1 - np.eye(len(won)))
    strength = _most_likely(won)
    margin = Z95 * np.sqrt(np.maximum(0.0, np.diag(np.linalg.pinv(_information(won + won.T, strength)))))
    return Ratings(tuple((SCALE * strength).tolist()), tuple((SCALE * margin).tolist()), propped)


def _most_likely(won: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns the strengths (natural log odds, mean 0) by Newton's method with steps of at most 1."""
    games = won + won.T
    strength = np.zeros(len(won))
    for _ in range(_STEPS):
        slope = won.sum(axis=1) - (games * _odds(strength)).sum(axis=1)
        step = np.linalg.pinv(_information(games, strength)) @ slope
        step /= max(1.0, float(np.abs(step).max()))
        strength = strength + step
        strength -= strength.mean()
        if np.abs(step).max() < 1e-12:
            break
    return strength


def _odds(strength: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Returns the matrix of the probabilities that i beats j."""
    found: npt.NDArray[np.float64] = 1.0 / (1.0 + np.exp(strength[None, :] - strength[:, None]))
    return found


def _information(games: npt.NDArray[np.float64], strength: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    chance = _odds(strength)
    weight = games * chance * (1.0 - chance)
    np.fill_diagonal(weight, 0.0)
    found: npt.NDArray[np.float64] = np.diag(weight.sum(axis=1)) - weight
    return found


def _is_connected(won: npt.NDArray[np.float64]) -> bool:
    """Whether every agent has scored against every other, directly or through others."""
    n = len(won)
    reach = (won > 0) | np.eye(n, dtype=bool)
    for _ in range(n):
        reach = (reach.astype(int) @ reach.astype(int)) > 0
    return bool(reach.all())
