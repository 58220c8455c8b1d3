"""Unset variables: those that have not been given a value yet, at each stop.

A variable without an initial value in its declaration holds the default of its type until the rules set it. At a stop,
if they have not done so on every path there, and will not read it again before they do, its value is meaningless, and
people are not shown it.
"""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core.liveness import NONE, Vars, live_variables
from gamedsl.language.core.traverse import is_stop, targets, terminator_tick, walk_statements


def unset_variables(program: n.Program) -> list[Vars]:
    """Returns, for each block, the variables whose values are meaningless at the stop at its end (none for other
    blocks).
    """
    bare = [v for v in program.variables if _is_bare(v)]
    if not bare:
        return [NONE] * len(program.blocks)
    single = frozenset(v.index for v in bare if not v.keys)
    chosen = frozenset(v.index for v in bare if isinstance(v.type, n.ElemT))
    maybe, surely = _possibly_set(program), _certainly_set(program)
    _, live = live_variables(program)
    found = []
    for b in program.blocks:
        never = chosen - maybe[b.index]
        idle = single - surely[b.index] - live[b.index]
        if isinstance(b.end, n.End):  # nothing is read after the end
            idle -= maybe[b.index]
        found.append(never | idle if is_stop(b) else NONE)
    return found


def _is_bare(v: n.Var) -> bool:
    return v.role == "state" and not v.has_first_value and isinstance(v.type, n.ScalarT)


def _possibly_set(program: n.Program) -> list[Vars]:
    """Returns, for each block, the variables that some path to its end sets."""

    def ways(t: n.Terminator) -> Vars:
        match t:
            case n.Decide() | n.DecideTogether():
                moves = [program.schemas[a.schema].effect for a in t.alternatives]
                return frozenset().union(*(_written(program, effect) for effect in moves))
            case _:
                return _results(t)

    start: list[Vars] = [NONE] * len(program.blocks)
    todo = list(range(len(program.blocks)))
    while todo:
        b = program.blocks[todo.pop()]
        after = start[b.index] | _written(program, (*b.statements, *terminator_tick(b.end))) | ways(b.end)
        for target in targets(b.end):
            if not after <= start[target]:
                start[target] |= after
                todo.append(target)
    return [start[b.index] | _written(program, b.statements) for b in program.blocks]


def _written(program: n.Program, statements: tuple[n.CoreStmt, ...]) -> Vars:
    found: set[int] = set()
    for s in walk_statements(statements):
        match s:
            case n.Assign(var=var):
                found.add(var.index)
            case n.Effect(schema=index):
                found |= _written(program, program.schemas[index].effect)
    return frozenset(found)


def _results(t: n.Terminator) -> Vars:
    """Returns the variable without keys that a choice or chance event itself sets, as a set."""
    match t:
        case n.Choose(var=var) | n.Chance(result=var) if not var.keys:
            return frozenset((var.index,))
        case _:
            return NONE


def _certainly_set(program: n.Program) -> list[Vars]:
    """Returns, for each block, the variables without keys that every path to its end sets (a greatest fixpoint)."""
    everything = frozenset(v.index for v in program.variables)
    start = [everything] * len(program.blocks)
    start[program.entry] = NONE
    todo = [program.entry]
    seen: set[int] = set()
    while todo:
        b = program.blocks[todo.pop()]
        seen.add(b.index)
        before = _after(program, b.statements, start[b.index])
        for target, after in _ways(program, b, before):
            common = start[target] & after
            if common != start[target] or target not in seen:
                start[target] = common
                todo.append(target)
    return [_after(program, b.statements, start[b.index]) for b in program.blocks]


def _ways(program: n.Program, b: n.Block, before: Vars) -> list[tuple[int, Vars]]:
    """Returns the successors of a block, each with the variables set on the way there."""
    ticked = _after(program, terminator_tick(b.end), before)
    match b.end:
        case n.Decide():
            ways = [
                (a.target, ticked if a.registers else _after(program, program.schemas[a.schema].effect, ticked))
                for a in b.end.alternatives
            ]
            return ways + [(way, before) for way in (b.end.stuck, b.end.may_pass) if way is not None]
        case _:
            return [(target, ticked | _results(b.end)) for target in targets(b.end)]


def _after(program: n.Program, statements: tuple[n.CoreStmt, ...], known: Vars) -> Vars:
    for s in statements:
        match s:
            case n.Assign(var=var, keys=()):
                known |= {var.index}
            case n.Reset(var=var):
                known -= {var.index}
            case n.IfS():
                known = _after(program, s.then, known) & _after(program, s.otherwise, known)
            case n.ForS():
                known &= _after(program, s.body, known)  # it may not run at all
            case n.Effect(schema=index):
                known = _after(program, program.schemas[index].effect, known)
        if not isinstance(s, n.Effect) and any(isinstance(inner, n.StopS) for inner in walk_statements((s,))):
            break  # the following statements may be skipped
    return known
