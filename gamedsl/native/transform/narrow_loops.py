"""Loop narrowing: a loop over all elements goes over those for which the condition around its body holds.

    for c in houses: if place(c) = last and seeds[c] = 1: ...
    →
    for c in houses & places[last]: if seeds[c] = 1: ...

Not done: conditions that can end in a rules error, or that read what the body changes.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.core import can_fail, conjuncts, fold, walk, walk_statements, written
from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    BoolT,
    CallF,
    Const,
    CoreStmt,
    Effect,
    Expr,
    ForS,
    Get,
    IfS,
    Noted,
    Op2,
    Program,
    SomeMove,
    StackOp,
)
from gamedsl.native.transform.lift_conditions import intersection, lift_condition


def narrow_loops(program: Program) -> Program:
    """Narrows the loops of all effects and blocks."""
    schemas = tuple(replace(s, effect=_statements(s.effect)) for s in program.schemas)
    blocks = tuple(replace(b, statements=_statements(b.statements)) for b in program.blocks)
    return replace(program, schemas=schemas, blocks=blocks)


def whole_loops(program: Program) -> int:
    """The number of loops over constant sets."""
    lists = [*(s.effect for s in program.schemas), *(b.statements for b in program.blocks)]
    return sum(isinstance(s, ForS) and isinstance(s.over, Const) for x in lists for s in walk_statements(x))


def _statements(stmts: tuple[CoreStmt, ...]) -> tuple[CoreStmt, ...]:
    return tuple(_statement(s) for s in stmts)


def _statement(s: CoreStmt) -> CoreStmt:
    match s:
        case IfS():
            return replace(s, then=_statements(s.then), otherwise=_statements(s.otherwise))
        case ForS(body=(IfS(otherwise=()) as test,)) if isinstance(s.over, Const):
            return _narrowed(s, test)
        case ForS():
            return replace(s, body=_statements(s.body))
        case _:
            return s


def _narrowed(s: ForS, test: IfS) -> ForS:
    """Takes as many of the first conditions as possible into the set."""
    over, rest = s.over, conjuncts(test.condition)
    while rest and _stays(rest[0], test.then):
        assert isinstance(s.over, Const)
        found = lift_condition(s.local, rest[0], s.over.value)
        if found is None or found.type != over.type:
            break
        over, rest = intersection(over, found), rest[1:]
    body = _statements(test.then)
    if not rest:
        return replace(s, over=over, body=body)
    condition = rest[0]
    for more in rest[1:]:
        condition = Op2("and", condition, more, BoolT())
    return replace(s, over=over, body=(replace(test, condition=fold(condition), then=body),))


def _stays(condition: Expr, body: tuple[CoreStmt, ...]) -> bool:
    """Does it have the same value in every round?"""
    inside = list(walk_statements(body))
    if can_fail(condition) or any(isinstance(x, Effect) for x in inside):
        return False
    changed = {v.index for x in inside if (v := written(x)) is not None}
    return not any(
        isinstance(x, AfterE | Arranged | CallF | Noted | SomeMove)
        or (isinstance(x, Get | StackOp) and x.var.index in changed)
        for x in walk(condition)
    )
