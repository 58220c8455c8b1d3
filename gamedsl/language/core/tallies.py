"""The parts of a number, each with names, a condition and a worth.

The number is the sum of the worth of every part, for all ways to bind its names in which its condition holds.
"""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core.opened import BOOL, branches, open_root, restrict
from gamedsl.language.source import node

FIRST_ID = 1 << 29  # the first id of locals that only tallies have
_YES = n.Const(1, BOOL)


@node()
class Tally:
    """A part of a number. ``binders``: names, each with the set over which it ranges, outermost first."""

    binders: tuple[tuple[n.Local, n.Expr], ...]
    condition: n.Expr
    worth: n.Expr


def tallies_of(program: n.Program, number: n.Expr) -> tuple[Tally, ...]:
    """Returns the parts of a number. A minimum is treated as its first operand, ignoring the limit."""
    return _tallies(program, number, ())


def _tallies(program: n.Program, e: n.Expr, calls: tuple[int, ...]) -> tuple[Tally, ...]:
    e, calls = open_root(program, e, calls)
    match e:
        case n.Convert(operand=operand) | n.Op2(op="min", left=operand):
            return _tallies(program, operand, calls)
        case n.Op2(op="add", left=left, right=right):
            return (*_tallies(program, left, calls), *_tallies(program, right, calls))
        case n.Cond():
            return tuple(restrict(t, also) for part, also in branches(e) for t in _tallies(program, part, calls))
        case n.Loop(kind="count", local=local, over=over, condition=condition, body=body):
            holds = body if condition is None else n.Op2("and", condition, body, BOOL)
            return (Tally(((local, over),), holds, n.Const(1, n.IntT(1, 1))),)
        case n.Loop(kind="sum", local=local, over=over, condition=condition, body=body):
            inner = _tallies(program, body, calls)
            found = (Tally(((local, over), *t.binders), t.condition, t.worth) for t in inner)
            return tuple(t if condition is None else restrict(t, condition) for t in found)
        case n.Op1(op="count", operand=operand) if isinstance(operand.type, n.SetT):
            local = n.Local(FIRST_ID + len(calls), "x", n.ElemT(operand.type.domain))
            return (Tally(((local, operand),), _YES, n.Const(1, n.IntT(1, 1))),)
        case n.Const(value=0):
            return ()
        case _:
            return (Tally((), _YES, e),)
