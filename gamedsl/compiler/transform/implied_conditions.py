"""Elimination of conditions implied by dominating branches (a forward data-flow analysis).

    block 1: if three(mark[X]) then 2 else 3
    block 3: decide O: ... test not three(mark[X])
    →
    block 3: decide O: ...

For each block, computes the conditions that hold at its end on all paths from other blocks. A branch adds a condition;
an assignment removes those that read the variable. A playout may begin at a block whose branches were never taken. The
conditions on which a block relies are therefore returned as its ``preconditions`` and checked once at the start.

Not done: conditions other than calls of functions of slots; following them would take longer than it saves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from gamedsl.compiler.analysis.facts import Facts, assumed
from gamedsl.compiler.analysis.monotonicity import Monotonicity
from gamedsl.language.core import fold, is_stop, targets, terminator_tick, walk, walk_statements, written
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

NOTHING: frozenset[int] = frozenset()


@lazy_dataclass(frozen=True)
class ImpliedConditions:
    """The program with simplified plans. ``preconditions`` gives, by block, the conditions that must hold in a state if
    a playout begins there."""

    program: n.Program
    preconditions: dict[int, tuple[n.Expr, ...]]


def eliminate_implied_conditions(program: n.Program) -> ImpliedConditions:
    """Removes tests that are known to hold."""
    if not program.functions:
        return ImpliedConditions(program, {})
    known, monotonicity = _known(program), Monotonicity(program.functions)
    schemas, preconditions = list(program.schemas), {}
    for b in program.blocks:
        if is_stop(b) and known[b.index].values:
            for a in b.end.alternatives if isinstance(b.end, n.Decide) else ():
                schemas[a.schema] = _simpler(schemas[a.schema], known[b.index], monotonicity)
            preconditions[b.index] = tuple(known[b.index].conditions())
    return ImpliedConditions(replace(program, schemas=tuple(schemas)), preconditions)


def _simpler(schema: n.Schema, facts: Facts, monotonicity: Monotonicity) -> n.Schema:
    """Simplifies the tests of a plan. The facts hold under all names, because the functions read only their
    arguments."""
    plan = []
    for step in schema.plan:
        if isinstance(step, n.Test):
            step = n.Test(fold(assumed(step.condition, facts, monotonicity)))
        plan.append(step)
    return replace(schema, plan=tuple(plan))


def _known(program: n.Program) -> dict[int, Facts]:
    """The facts at the end of each block. An unreachable block gets the facts common to all reachable decisions."""
    edges = list(_edges(program))
    reached = {b.index for b in program.blocks if is_stop(b)}
    known: dict[int, Facts] = {}  # absent: not reached yet (all facts hold)
    for _ in range(2 * len(program.blocks)):
        changed = False
        for b in program.blocks:
            led = [_facts_along(edge, known, reached) for edge in edges if edge.target == b.index]
            found = [x for x in led if x is not None]
            if not found:
                continue
            now = found[0]
            for x in found[1:]:
                now = now.both(x)
            now = _surviving(now, b.statements, NOTHING)
            if known.get(b.index) != now:
                known[b.index], changed = now, True
        if not changed:
            break
    else:
        return {b.index: Facts() for b in program.blocks}
    common: Facts | None = None
    for b in program.blocks:
        if isinstance(b.end, n.Decide) and b.index in known:
            common = known[b.index] if common is None else common.both(known[b.index])
    return {b.index: known.get(b.index, common or Facts()) for b in program.blocks}


def _facts_along(edge: _Edge, known: dict[int, Facts], stops: set[int]) -> Facts | None:
    """The facts at the end of an edge. Returns None if its source has not been reached."""
    if edge.source in known:
        return _surviving(known[edge.source], edge.done, edge.chosen).more(edge.found)
    return Facts() if edge.source in stops else None


def _surviving(facts: Facts, done: tuple[n.CoreStmt, ...], chosen: frozenset[int]) -> Facts:
    """The facts that read none of the variables that have been assigned."""
    changed = {v.index for s in walk_statements(done) if (v := written(s)) is not None} | chosen
    return Facts(frozenset(f for f in facts.values if not changed & _read(f[0])))


def _read(e: n.Expr) -> set[int]:
    return {x.var.index for x in walk(e) if isinstance(x, n.Get)}


@lazy_dataclass(frozen=True)
class _Edge:
    """An edge between blocks: the statements on it, the variables set by choice or chance, and the facts of its
    branch."""

    source: int
    target: int
    done: tuple[n.CoreStmt, ...]
    chosen: frozenset[int]
    found: Facts


def _edges(program: n.Program) -> Iterator[_Edge]:
    for b in program.blocks:
        match b.end:
            case n.BranchT(condition=c, yes=yes, no=no):
                yield _Edge(b.index, yes, (), NOTHING, _only_calls([c], []))
                yield _Edge(b.index, no, (), NOTHING, _only_calls([], [c]))
            case n.Decide():
                for a in b.end.alternatives:
                    done = (*b.end.tick, *program.schemas[a.schema].effect)
                    registers = frozenset(v.index for v in a.registers)
                    yield _Edge(b.index, a.target, done, registers, Facts())
                if b.end.may_pass is not None:
                    yield _Edge(b.index, b.end.may_pass, b.end.tick, NOTHING, Facts())
                if b.end.stuck is not None:
                    yield _Edge(b.index, b.end.stuck, (), NOTHING, Facts())
            case _ if (var := b.end.result_variable()) is not None:
                yield from (_Edge(b.index, t, _tick(b), frozenset({var.index}), Facts()) for t in targets(b.end))
            case _:
                yield from (_Edge(b.index, t, (), NOTHING, Facts()) for t in targets(b.end))


def _tick(b: n.Block) -> tuple[n.CoreStmt, ...]:
    return terminator_tick(b.end)


def _only_calls(true: list[n.Expr], false: list[n.Expr]) -> Facts:
    """Keeps calls whose arguments are slots or constants. Other conditions are not worth following."""
    found = Facts.of(true, false)
    return Facts(frozenset(v for v in found.values if isinstance(v[0], n.CallF) and _plain(v[0])))


def _plain(e: n.CallF) -> bool:
    return all(isinstance(a, n.Get | n.Const) for a in e.args)
