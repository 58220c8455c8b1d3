"""Loop narrowing: a loop over all elements becomes a loop over those for which the condition around its body holds.

    for c in houses: if place(c) = last and seeds[c] = 1: ...
    →
    for c in houses & places[last]: if seeds[c] = 1: ...

Not done: conditions that can end in a rules error, or that read variables that the body changes.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.compiler.transform.lift_conditions import intersection, lift_condition
from gamedsl.language.core import can_fail, conjunction, conjuncts, fold, may_depend_on, walk_statements, written
from gamedsl.language.core import nodes as n


def narrow_loops(program: n.Program) -> n.Program:
    """Narrows the loops of all effects and blocks."""
    schemas = tuple(replace(s, effect=_statements(s.effect)) for s in program.schemas)
    blocks = tuple(replace(b, statements=_statements(b.statements)) for b in program.blocks)
    return replace(program, schemas=schemas, blocks=blocks)


def whole_loops(program: n.Program) -> int:
    """The number of loops over constant sets."""
    lists = [*(s.effect for s in program.schemas), *(b.statements for b in program.blocks)]
    return sum(isinstance(s, n.ForS) and isinstance(s.over, n.Const) for x in lists for s in walk_statements(x))


def _statements(stmts: tuple[n.CoreStmt, ...]) -> tuple[n.CoreStmt, ...]:
    return tuple(_statement(s) for s in stmts)


def _statement(s: n.CoreStmt) -> n.CoreStmt:
    match s:
        case n.IfS():
            return replace(s, then=_statements(s.then), otherwise=_statements(s.otherwise))
        case n.ForS(body=(n.IfS(otherwise=()) as test,)) if isinstance(s.over, n.Const):
            return _narrowed(s, test)
        case n.ForS():
            return replace(s, body=_statements(s.body))
        case _:
            return s


def _narrowed(s: n.ForS, test: n.IfS) -> n.ForS:
    """Moves as many of the first conditions as possible into the set."""
    over, rest = s.over, conjuncts(test.condition)
    while rest and _stays(rest[0], test.then):
        assert isinstance(s.over, n.Const)
        found = lift_condition(s.local, rest[0], s.over.value)
        if found is None or found.type != over.type:
            break
        over, rest = intersection(over, found), rest[1:]
    body = _statements(test.then)
    if not rest:
        return replace(s, over=over, body=body)
    return replace(s, over=over, body=(replace(test, condition=fold(conjunction(rest)), then=body),))


def _stays(condition: n.Expr, body: tuple[n.CoreStmt, ...]) -> bool:
    """Whether the condition has the same value in every round."""
    inside = list(walk_statements(body))
    if can_fail(condition) or any(isinstance(x, n.Effect) for x in inside):
        return False
    changed = {v.index for x in inside if (v := written(x)) is not None}
    return not may_depend_on(condition, changed)
