"""Resets dead variables before every stop, so that equal situations are equal states.

Only variables of role "temp" (registers, loop counters, results) are reset. A data-flow analysis finds those that are
dead at a stop and may differ from their initial values. It adds a ``Reset`` to the stop's block.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import (
    claim_exprs,
    exprs_of,
    is_stop,
    targets,
    terminator_exprs,
    terminator_tick,
    walk,
    walk_statements,
)

Vars = frozenset[int]
NONE: Vars = frozenset()


class _Reads:
    """The variables that expressions and statements can read, including through calls and look-ahead."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self._functions: dict[int, Vars] = {}
        self._schemas: dict[int, Vars] = {}

    def expr(self, e: n.Expr) -> Vars:
        found: set[int] = set()
        for part in walk(e):
            match part:
                case _ if (var := part.read()) is not None:
                    found.add(var.index)
                case n.CallF(function=index):
                    found |= self.function(index)
                case n.AfterE():
                    found |= self.statements(part.tick) | self.statements(part.passed)
                    if part.schema is not None:
                        found |= self.effect(part.schema)
                case n.SomeMove():
                    found |= self.statements(part.tick)
                    for branch in part.branches:
                        found |= self.schema(branch.schema)
        return frozenset(found)

    def function(self, index: int) -> Vars:
        if index not in self._functions:
            self._functions[index] = NONE  # (no recursion in the Core; guards against a broken program)
            self._functions[index] = self.expr(self.program.functions[index].body)
        return self._functions[index]

    def effect(self, index: int) -> Vars:
        return self.statements(self.program.schemas[index].effect)

    def schema(self, index: int) -> Vars:
        """Returns the variables that trying or making a move of this schema can read."""
        if index not in self._schemas:
            self._schemas[index] = NONE
            self._schemas[index] = self.conditions(index) | self.effect(index)
        return self._schemas[index]

    def conditions(self, index: int) -> Vars:
        """Returns the variables that the parameters and conditions of a schema can read."""
        s = self.program.schemas[index]
        conditions: tuple[n.CoreGuard, ...] = (*s.guards, *s.forbids)
        exprs: Iterable[n.Expr] = (*(p.over for p in s.params), *(g.condition for g in conditions))
        return self.union(exprs)

    def union(self, exprs: Iterable[n.Expr]) -> Vars:
        found: Vars = NONE
        for e in exprs:
            found |= self.expr(e)
        return found

    def statements(self, stmts: tuple[n.CoreStmt, ...]) -> Vars:
        found = self.union(exprs_of(stmts))
        for s in walk_statements(stmts):
            match s:
                case n.Update():
                    found |= {s.written().index}
                case n.Effect(schema=index):
                    found |= self.effect(index)
        return found

    def terminator(self, t: n.Terminator) -> Vars:
        found = self.union(terminator_exprs(t)) | self.statements(terminator_tick(t))
        match t:
            case n.Decide() | n.DecideTogether():
                for alt in t.alternatives:
                    found |= self.schema(alt.schema)
            case n.DecideDrawing(var=var):
                found |= {var.index}
        return found


def clear_dead(program: n.Program) -> n.Program:
    """Returns the program with dead temporaries reset before every stop."""
    reads = _Reads(program)
    temps = frozenset(v.index for v in program.variables if v.role == "temp") - _claimed(program, reads)
    if not temps:
        return program
    live = _live_at_end(program, reads)
    dirty = _dirty_at_end(program, temps, live)
    return replace(program, blocks=tuple(_cleared(program, b, live, dirty) for b in program.blocks))


def at_rest(program: n.Program, asked: Iterable[n.Expr] = ()) -> list[Vars]:
    """Returns, for each block, the temporaries that are dead at its end and so have their initial values at that stop.
    ``asked`` are further expressions that can be evaluated there.
    """
    reads = _Reads(program)
    temps = frozenset(v.index for v in program.variables if v.role == "temp")
    temps -= _claimed(program, reads) | reads.union(asked)
    live = _live_at_end(program, reads)
    return [temps - live[b.index] if is_stop(b) else NONE for b in program.blocks]


def variables_read(program: n.Program, e: n.Expr) -> Vars:
    """Returns the variables that an expression can read, including through calls and look-ahead."""
    return _Reads(program).expr(e)


def _claimed(program: n.Program, reads: _Reads) -> Vars:
    """Returns the variables that claims read, which can be evaluated at any stop."""
    return reads.union(e for c in program.claims for e in claim_exprs(c))


def _cleared(program: n.Program, b: n.Block, live: list[Vars], dirty: list[Vars]) -> n.Block:
    if not is_stop(b):
        return b
    dead = sorted(dirty[b.index] - live[b.index])
    return replace(b, statements=(*b.statements, *(n.Reset(program.variables[i]) for i in dead))) if dead else b


def live_variables(program: n.Program) -> tuple[list[Vars], list[Vars]]:
    """Returns, for each block, the variables that are live at its start, and those that are live at its terminator."""
    return _live(program, _Reads(program))


def live_before(program: n.Program, block: int, index: int) -> Vars:
    """Returns the variables that are live before a statement of a block, by its number. More exact than
    ``live_variables``: a variable that a move writes first is not live before it.
    """
    reads = _Reads(program)
    at_start = [NONE] * len(program.blocks)
    changed = True
    while changed:
        changed = False
        for b in reversed(program.blocks):
            start = _before(b.statements, _before_end(program, b.end, at_start, reads), reads)
            if start != at_start[b.index]:
                at_start[b.index], changed = start, True
    b = program.blocks[block]
    return _before(b.statements[index:], _before_end(program, b.end, at_start, reads), reads)


def _before_end(program: n.Program, t: n.Terminator, at_start: list[Vars], reads: _Reads) -> Vars:
    """Returns the variables live at a terminator, given those live at the start of every block."""
    if not isinstance(t, n.Decide):
        found = reads.terminator(t)
        for target, killed in _edges(t):
            found |= at_start[target] - killed
        return found
    ticked: Vars = NONE if t.may_pass is None else at_start[t.may_pass]
    for a in t.alternatives:
        ticked |= _before(program.schemas[a.schema].effect, at_start[a.target] - _registers(a), reads)
    found = NONE if t.stuck is None else at_start[t.stuck]
    found |= _before(t.tick, ticked, reads) | reads.union(terminator_exprs(t))
    for a in t.alternatives:
        found |= reads.conditions(a.schema)
        if program.schemas[a.schema].forbids:
            found |= reads.schema(a.schema)
    return found


def _live_at_end(program: n.Program, reads: _Reads) -> list[Vars]:
    """Returns, for each block, the variables that are live at its terminator."""
    return _live(program, reads)[1]


def _live(program: n.Program, reads: _Reads) -> tuple[list[Vars], list[Vars]]:
    """Returns the variables live at the start and at the end of every block (a backward fixpoint)."""
    own = [reads.terminator(b.end) for b in program.blocks]
    at_end, at_start = [NONE] * len(program.blocks), [NONE] * len(program.blocks)
    changed = True
    while changed:
        changed = False
        for b in reversed(program.blocks):
            end = own[b.index]
            for target, killed in _edges(b.end):
                end |= at_start[target] - killed
            start = _before(b.statements, end, reads)
            if end != at_end[b.index] or start != at_start[b.index]:
                at_end[b.index], at_start[b.index], changed = end, start, True
    return at_start, at_end


def _edges(t: n.Terminator) -> list[tuple[int, Vars]]:
    """Returns the successors of a terminator, each with the variables written on that edge."""
    match t:
        case n.Decide():
            ways = [(a.target, _registers(a)) for a in t.alternatives]
            return ways + [(b, NONE) for b in (t.stuck, t.may_pass) if b is not None]
        case n.Choose(var=var, target=target) | n.Chance(result=var, target=target) if not var.keys:
            return [(target, frozenset((var.index,)))]
        case _:
            return [(target, NONE) for target in targets(t)]


def _registers(a: n.Alt) -> Vars:
    return frozenset(v.index for v in a.registers)


def _before(stmts: tuple[n.CoreStmt, ...], live: Vars, reads: _Reads, end: Vars | None = None) -> Vars:
    """Returns the variables live before these statements, given those live after them (and at ``end``, to which a stop
    leads).
    """
    end = live if end is None else end
    for s in reversed(stmts):
        match s:
            case n.Assign(var=var, keys=()) | n.Reset(var=var):
                live = (live - {var.index}) | reads.statements((s,))
            case n.IfS():
                then = _before(s.then, live, reads, end)
                live = then | _before(s.otherwise, live, reads, end) | reads.expr(s.condition)
            case n.StopS():
                live |= end
            case _:
                live |= reads.statements((s,))
    return live


def _dirty_at_end(program: n.Program, temps: Vars, live: list[Vars]) -> list[Vars]:
    """Returns, for each block, the temporaries that can differ from their initial values at its end, given that dead
    ones are cleared at earlier stops (a forward fixpoint).
    """
    at_start, at_end = [NONE] * len(program.blocks), [NONE] * len(program.blocks)
    todo = list(range(len(program.blocks)))
    while todo:
        b = program.blocks[todo.pop()]
        end = _after(program, b.statements, at_start[b.index]) & temps
        at_end[b.index] = end
        kept = end & live[b.index] if is_stop(b) else end
        tick = _after(program, terminator_tick(b.end), kept)
        for target, set_anew in _edges(b.end):
            start = (tick | set_anew | _effects(program, b.end)) & temps
            if not start <= at_start[target]:
                at_start[target] |= start
                todo.append(target)
    return at_end


def _effects(program: n.Program, t: n.Terminator) -> Vars:
    match t:
        case n.Decide() | n.DecideTogether():
            found: Vars = NONE
            for alt in t.alternatives:
                found |= _after(program, program.schemas[alt.schema].effect, NONE)
            return found
        case _:
            var = t.result_variable()
            return NONE if var is None else frozenset((var.index,))


def _after(program: n.Program, stmts: tuple[n.CoreStmt, ...], dirty: Vars) -> Vars:
    for s in stmts:
        match s:
            case n.Reset(var=var):
                dirty -= {var.index}
            case _ if (changed := s.written()) is not None:
                dirty |= {changed.index}
            case n.IfS():
                dirty = _after(program, s.then, dirty) | _after(program, s.otherwise, dirty)
            case n.ForS():
                dirty |= _after(program, s.body, dirty)
            case n.Effect(schema=index):
                dirty |= _after(program, program.schemas[index].effect, NONE)
    return dirty
