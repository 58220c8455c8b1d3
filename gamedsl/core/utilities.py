"""Bounds on utilities."""

from __future__ import annotations

from gamedsl.core.constant_folding import limits
from gamedsl.core.nodes import End, Program


def utility_bounds(program: Program, player: int | None = None) -> tuple[int, int]:
    """Bounds on the utility of one player, or of any, from the ranges of types. Returns -1 and 1 if no ending is
    scored."""
    ends = [b.end for b in program.blocks if isinstance(b.end, End)]
    pairs = [limits(e.type) for end in ends for i, e in enumerate(end.payoff) if player in (None, i)]
    return min((low for low, _ in pairs), default=-1), max((high for _, high in pairs), default=1)


def greatest_utility(program: Program) -> int:
    """A bound on the absolute utility of any player; at least 1."""
    low, high = utility_bounds(program)
    return max(1, -low, high)
