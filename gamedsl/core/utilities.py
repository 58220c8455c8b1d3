"""Bounds on utilities, and their sum."""

from __future__ import annotations

from gamedsl.core.constant_folding import fold, limits
from gamedsl.core.nodes import Const, End, Expr, Get, Program
from gamedsl.core.traverse import map_children

MOST_PLAYERS = 8  # whose sets of winners are tried


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


def is_zero_sum(program: Program) -> bool:
    """Is it proved that utilities always sum to 0? They are tried for every set of winners; utilities that depend on
    anything else are not proved."""
    ends = [b.end for b in program.blocks if isinstance(b.end, End)]
    return program.players.size <= MOST_PLAYERS and all(_sums_to_zero(end, program.players.full) for end in ends)


def _sums_to_zero(end: End, everybody: int) -> bool:
    if not isinstance(end.winners, Get):
        return False
    for won in range(everybody + 1):
        found = [fold(_with_winners(e, end.winners, won)) for e in end.payoff]
        if not all(isinstance(e, Const) for e in found) or sum(e.value for e in found if isinstance(e, Const)) != 0:
            return False
    return True


def _with_winners(e: Expr, winners: Get, won: int) -> Expr:
    """The expression with this value for the set of winners."""
    if isinstance(e, Get) and e.var.index == winners.var.index:
        return Const(won, winners.type, span=e.span)
    return map_children(e, lambda child: _with_winners(child, winners, won))
