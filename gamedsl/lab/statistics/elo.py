"""The Elo scale: the expected score at a difference in strength (A. Elo, "The Rating of Chessplayers", 1978)."""

from __future__ import annotations

from math import exp, inf, log, log10


def expected_score(elo: float) -> float:
    """Returns the expected score, 0 to 1, of a player who is stronger by ``elo`` points (400 points are odds of ten to
    one).
    """
    if elo < 0:
        return 1.0 - expected_score(-elo)
    return 1.0 / (1.0 + exp(-elo * log(10.0) / 400.0))


def elo_difference(score: float) -> float:
    """Returns the difference in Elo points at which ``score`` is the expected score; infinite for 0 and 1."""
    if score <= 0.0 or score >= 1.0:
        return inf if score >= 1.0 else -inf
    return 400.0 * log10(score / (1.0 - score))
