"""What a number counts: its parts, each with names, a condition and what it is worth.

The number is the sum of what every part is worth, for all ways to bind its names in which its condition holds.
"""

from __future__ import annotations

from gamedsl.core.nodes import (
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    IntT,
    Local,
    Loop,
    Op1,
    Op2,
    Program,
    SetT,
)
from gamedsl.core.opened import BOOL, branches, open_root, restrict
from gamedsl.source import node

FIRST_ID = 1 << 29  # of locals that only tallies have
_YES = Const(1, BOOL)


@node()
class Tally:
    """``binders``: names, each with the set that it is taken from, outermost first."""

    binders: tuple[tuple[Local, Expr], ...]
    condition: Expr
    worth: Expr


def tallies_of(program: Program, number: Expr) -> tuple[Tally, ...]:
    """The parts of a number."""
    return _tallies(program, number, ())


def _tallies(program: Program, e: Expr, calls: tuple[int, ...]) -> tuple[Tally, ...]:
    e, calls = open_root(program, e, calls)
    match e:
        case Convert(operand=operand) | Op2(op="min", left=operand):
            return _tallies(program, operand, calls)
        case Op2(op="add", left=left, right=right):
            return (*_tallies(program, left, calls), *_tallies(program, right, calls))
        case Cond():
            return tuple(restrict(t, also) for part, also in branches(e) for t in _tallies(program, part, calls))
        case Loop(kind="count", local=local, over=over, condition=condition, body=body):
            holds = body if condition is None else Op2("and", condition, body, BOOL)
            return (Tally(((local, over),), holds, Const(1, IntT(1, 1))),)
        case Loop(kind="sum", local=local, over=over, condition=condition, body=body):
            inner = _tallies(program, body, calls)
            found = (Tally(((local, over), *t.binders), t.condition, t.worth) for t in inner)
            return tuple(t if condition is None else restrict(t, condition) for t in found)
        case Op1(op="count", operand=operand) if isinstance(operand.type, SetT):
            local = Local(FIRST_ID + len(calls), "x", ElemT(operand.type.domain))
            return (Tally(((local, operand),), _YES, Const(1, IntT(1, 1))),)
        case Const(value=0):
            return ()
        case _:
            return (Tally((), _YES, e),)
