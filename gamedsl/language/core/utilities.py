"""Bounds on utilities, and their sum."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import fold, limits
from gamedsl.language.core.traverse import map_children

MOST_PLAYERS = 8  # the most players for whom all sets of winners are tried


def utility_bounds(program: n.Program, player: int | None = None) -> tuple[int, int]:
    """Returns bounds on the utility of one player, or of any, from the ranges of types: -1 and 1 if there is no
    ending.
    """
    ends = [b.end for b in program.blocks if isinstance(b.end, n.End)]
    pairs = [limits(e.type) for end in ends for i, e in enumerate(end.payoff) if player in (None, i)]
    return min((low for low, _ in pairs), default=-1), max((high for _, high in pairs), default=1)


def greatest_utility(program: n.Program) -> int:
    """Returns a bound on the absolute utility of any player; at least 1."""
    low, high = utility_bounds(program)
    return max(1, -low, high)


def is_zero_sum(program: n.Program) -> bool:
    """Returns whether it is proved that utilities always sum to 0. They are tried for every set of winners; utilities
    that depend on anything else are not proved.
    """
    ends = [b.end for b in program.blocks if isinstance(b.end, n.End)]
    return program.players.size <= MOST_PLAYERS and all(_sums_to_zero(end, program.players.full) for end in ends)


def _sums_to_zero(end: n.End, everybody: int) -> bool:
    if not isinstance(end.winners, n.Get):
        return False
    for won in range(everybody + 1):
        found = [fold(_with_winners(e, end.winners, won)) for e in end.payoff]
        if not all(isinstance(e, n.Const) for e in found) or sum(e.value for e in found if isinstance(e, n.Const)) != 0:
            return False
    return True


def _with_winners(e: n.Expr, winners: n.Get, won: int) -> n.Expr:
    """Returns the expression with this value for the set of winners."""
    if isinstance(e, n.Get) and e.var.index == winners.var.index:
        return n.Const(won, winners.type, span=e.span)
    return map_children(e, lambda child: _with_winners(child, winners, won))
