"""The steps of play from block to block, and the direction in which a statement changes a variable."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core.known_members import Fact
from gamedsl.language.source import lazy_dataclass

GROWS, SHRINKS = 1, -1


@lazy_dataclass(frozen=True)
class Step:
    """A step from a block to a block. ``decides``: whether a player (or chance, on request) decides there. ``sure``:
    the statements that are executed; after the first ``before`` of them, ``facts`` hold. ``maybe``: statements that
    may be executed too; ``chosen``: the variables that take chosen values.
    """

    source: int
    target: int
    decides: bool
    sure: tuple[n.CoreStmt, ...] = ()
    before: int = 0
    facts: tuple[Fact, ...] = ()
    maybe: tuple[n.CoreStmt, ...] = ()
    chosen: frozenset[int] = frozenset()


def direction(s: n.Assign) -> int:
    """Returns the direction in which a statement changes a variable; 0: any."""
    match s.value:
        case n.Op2(op="union", left=left) if is_own(left, s):
            return GROWS
        case n.Op2(op="minus", left=left) if is_own(left, s):
            return SHRINKS
        case _:
            step = least_change(s)
            return 0 if not step else GROWS if step > 0 else SHRINKS


def is_own(e: n.Expr, s: n.Assign) -> bool:
    """Returns whether an expression is the value of the statement's slot before the statement."""
    return isinstance(e, n.Get) and (e.var, e.keys) == (s.var, s.keys)


def least_change(s: n.Assign) -> int:
    """Returns the least change of a counter, with its sign; 0 if it can stay the same or change in both directions."""
    value = _bare(s.value)
    match value:
        case n.Op2(op="add", left=left, right=n.Const(value=number)) if isinstance(s.var.type, n.IntT):
            return number if is_own(_bare(left), s) else 0
        case n.Op2(op="sub", left=left, right=right) if isinstance(s.var.type, n.IntT):
            return -max(0, _least(right)) if is_own(_bare(left), s) else 0
        case _:
            return 0


def _bare(e: n.Expr) -> n.Expr:
    return _bare(e.operand) if isinstance(e, n.Convert) else e


def _least(e: n.Expr) -> int:
    """Returns the least integer of an expression's type; 0 if it is not an integer."""
    return e.type.low if isinstance(e.type, n.IntT) else 0
