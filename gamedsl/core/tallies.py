"""What a number counts: its parts, each with names, a condition and what it is worth.

The number is the sum of what every part is worth, for all ways to bind its names in which its condition holds.
"""

from __future__ import annotations

from gamedsl.core.nodes import (
    BoolT,
    CallF,
    Cond,
    Const,
    Convert,
    ElemT,
    Expr,
    IntT,
    LetE,
    Local,
    Loop,
    Op1,
    Op2,
    Program,
    SetT,
)
from gamedsl.core.traverse import substitute
from gamedsl.source import node

MOST_OPENED = 12  # functions within each other
FIRST_ID = 1 << 29  # of locals that only tallies have
_BOOL = BoolT()
_YES = Const(1, _BOOL)


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
    match e:
        case CallF(function=index, args=args) if index not in calls and len(calls) < MOST_OPENED:
            called = program.functions[index]
            given = {p.id: a for p, a in zip(called.params, args, strict=True)}
            return _tallies(program, substitute(called.body, given), (*calls, index))
        case LetE(local=local, value=value, body=body):
            return _tallies(program, substitute(body, {local.id: value}), calls)
        case Convert(operand=operand) | Op2(op="min", left=operand):
            return _tallies(program, operand, calls)
        case Op2(op="add", left=left, right=right):
            return (*_tallies(program, left, calls), *_tallies(program, right, calls))
        case Cond(condition=condition, then=then, otherwise=otherwise):
            opposite = Op1("not", condition, _BOOL, span=e.span)
            yes = tuple(_restricted(t, condition) for t in _tallies(program, then, calls))
            return (*yes, *(_restricted(t, opposite) for t in _tallies(program, otherwise, calls)))
        case Loop(kind="count", local=local, over=over, condition=condition, body=body):
            holds = body if condition is None else Op2("and", condition, body, _BOOL)
            return (Tally(((local, over),), holds, Const(1, IntT(1, 1))),)
        case Loop(kind="sum", local=local, over=over, condition=condition, body=body):
            inner = _tallies(program, body, calls)
            found = (Tally(((local, over), *t.binders), t.condition, t.worth) for t in inner)
            return tuple(t if condition is None else _restricted(t, condition) for t in found)
        case Op1(op="count", operand=operand) if isinstance(operand.type, SetT):
            local = Local(FIRST_ID + len(calls), "x", ElemT(operand.type.domain))
            return (Tally(((local, operand),), _YES, Const(1, IntT(1, 1))),)
        case Const(value=0):
            return ()
        case _:
            return (Tally((), _YES, e),)


def _restricted(tally: Tally, also: Expr) -> Tally:
    return Tally(tally.binders, Op2("and", also, tally.condition, _BOOL), tally.worth)
