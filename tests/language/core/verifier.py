"""The IR verifier: types, scopes, ranges and targets of every node. Verified programs raise no Python errors.

It is meant for tests and for use after every pass. A violation is a bug in the producer of the program, not in a
ruleset.
"""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import targets, terminator_tick
from tests.language.core.verify_expressions import Checker, Scope, elements_match

NOBODY: Scope = {}


def verify(program: n.Program) -> list[str]:
    """Returns all violations, each with its place. Empty if the program is well formed."""
    c = ProgramChecker(program)
    _variables(c)
    for i, f in enumerate(program.functions):
        with c.inside(f"function {f.name}"):
            c.need(f.index == i, f"its index is {f.index}, its place {i}")
            c.expr(f.body, {p.id: p for p in f.params})
    for i, s in enumerate(program.schemas):
        with c.inside(f"move {s.name}"):
            c.need(s.index == i, f"its index is {s.index}, its place {i}")
            _schema(c, s)
    for i, b in enumerate(program.blocks):
        with c.inside(f"block {i}"):
            c.need(b.index == i, f"its index is {b.index}, its place {i}")
            _block(c, b)
    c.need(0 <= program.entry < len(program.blocks), "the entry is not a block")
    for i, part in enumerate(program.parts):
        with c.inside(f"part {part.name}"):
            c.need(part.index == i, f"its index is {part.index}, its place {i}")
            c.need(len(part.seats) == part.players.size, "not one seat a player")
            for seat in part.seats:
                c.expect(seat, n.ElemT(program.players), NOBODY)
            _people(c, i)
    return c.found


def _variables(c: Checker) -> None:
    for i, v in enumerate(c.program.variables):
        with c.inside(f"variable {v.name}"):
            c.need(v.index == i, f"its index is {v.index}, its place {i}")
            c.need(len(v.initial) == v.slots, f"{len(v.initial)} first values for {v.slots} slots")
            c.need(0 <= v.part < len(c.program.parts), "no such part")
            if not isinstance(v.type, n.StoredT):
                for value in v.initial:
                    c.in_range(value, v.type)
            if isinstance(v.type, n.HistoryT | n.DrawingT):
                c.need(not v.keys, "histories and drawings are not kept in maps")


def _schema(c: Checker, s: n.Schema) -> None:
    c.need(0 <= s.part < len(c.program.parts), "no such part")
    scope: Scope = {s.me.id: s.me}
    players = c.program.parts[s.part].players
    c.need(s.me.type == n.ElemT(players), "me is not a player of its part")
    for p in s.params:
        c.set_over(p.over, p.local, scope)
        scope[p.local.id] = p.local
    for g in (*s.guards, *s.forbids):
        c.expect(g.condition, n.BoolT(), scope)
    c.need(not (s.has_chance and s.effect), "a move with chance has its effect in blocks")
    c.statements(s.effect, scope)
    _plan(c, s)
    missing = set(range(len(s.params))) - {p for p in s.written if isinstance(p, int)}
    c.need(not missing or not s.written, f"its notation omits parameters {sorted(missing)}")


def _plan(c: Checker, s: n.Schema) -> None:
    scope: Scope = {s.me.id: s.me}
    bound: list[int] = []
    for step in s.plan:
        if isinstance(step, n.Bind):
            if not 0 <= step.param < len(s.params):
                c.need(False, f"the plan binds parameter {step.param}")
                return
            local = s.params[step.param].local
            c.set_over(step.over, local, scope)
            scope[local.id] = local
            bound.append(step.param)
        else:
            c.expect(step.condition, n.BoolT(), scope)
    c.need(not s.plan or bound == list(range(len(s.params))), f"the plan binds parameters {bound}")


# -------------------------------------------------------------------------------------------------- statements


class ProgramChecker(Checker):
    """Checks statements as well as expressions."""

    def statements(self, stmts: tuple[n.CoreStmt, ...], scope: Scope) -> None:
        scope = dict(scope)
        for s in stmts:
            _statement(self, s, scope)


def _statement(c: Checker, s: n.CoreStmt, scope: Scope) -> None:
    match s:
        case n.Assign(var=var, keys=keys, value=value):
            c.keys(var.keys, keys, scope, var.name)
            c.need(not isinstance(var.type, n.StoredT), f"{var.name} cannot be set")
            if not isinstance(var.type, n.StoredT):
                c.expect(value, var.type, scope)
            c.check_known(var)
        case n.Reset(var=var):
            c.check_known(var)
        case n.LetS(local=local, value=value):
            c.expect(value, local.type, scope)
            scope[local.id] = local
        case n.IfS():
            c.expect(s.condition, n.BoolT(), scope)
            c.statements(s.then, scope)
            c.statements(s.otherwise, scope)
        case n.ForS():
            c.set_over(s.over, s.local, scope)
            c.statements(s.body, {**scope, s.local.id: s.local})
        case n.StopS():
            pass
        case n.Check():
            c.expect(s.condition, n.BoolT(), scope)
        case n.PushS(var=var, keys=keys):
            c.keys(var.keys, keys, scope, var.name)
            c.need(isinstance(var.type, n.StackT), f"{var.name} is not a stack")
            if isinstance(var.type, n.StackT):
                c.expect(s.value, var.type.inner, scope)
        case n.PopS(var=var, keys=keys):
            c.keys(var.keys, keys, scope, var.name)
            c.need(isinstance(var.type, n.StackT), f"{var.name} is not a stack")
        case n.NoteS():
            c.need(isinstance(s.history.type, n.HistoryT), f"{s.history.name} is not a history")
            for e in s.position:
                c.expr(e, scope)
        case n.Effect():
            c.move(s.schema, s.args, scope)


# ------------------------------------------------------------------------------------------------------ blocks


def _block(c: Checker, b: n.Block) -> None:
    c.statements(b.statements, NOBODY)
    c.need(0 <= b.part < len(c.program.parts), "no such part")
    for t in targets(b.end):
        c.need(0 <= t < len(c.program.blocks), f"there is no block {t}")
    c.statements(terminator_tick(b.end), NOBODY)
    program = c.program
    match b.end:
        case n.Goto():
            pass
        case n.BranchT(condition=condition):
            c.expect(condition, n.BoolT(), NOBODY)
        case n.Decide() as d:
            _who(c, d, d.part)
            for a in d.alternatives:
                _alternative(c, a, d.part)
            c.need(bool(d.alternatives) or d.may_pass is not None, "nothing to decide")
        case n.DecideTogether() as d:
            players = program.parts[d.part].players
            c.expect(d.movers, n.SetT(players), NOBODY)
            c.need(len(d.seats) == players.size, "not one seat a player")
            for seat in d.seats:
                c.expect(seat, n.ElemT(program.players), NOBODY)
            for a in d.alternatives:
                _alternative(c, a, d.part)
                c.need(not a.registers, "moves made at once have no chance in them")
        case n.Choose() as d:
            _choose(c, d)
        case n.Chance() as d:
            _chance(c, d)
        case n.DecideDrawing() as d:
            _who(c, d, d.part)
            c.need(isinstance(d.var.type, n.DrawingT), f"{d.var.name} is not a drawing")
        case n.End() as d:
            _end(c, d)


def _who(c: Checker, d: n.SoloDecision, part: int) -> None:
    c.expect(d.seat, n.ElemT(c.program.players), NOBODY)
    c.expect(d.mover, n.ElemT(c.program.parts[part].players), NOBODY)


def _alternative(c: Checker, a: n.Alt, part: int) -> None:
    if not 0 <= a.schema < len(c.program.schemas):
        c.need(False, f"there is no move {a.schema}")
        return
    s = c.program.schemas[a.schema]
    c.need(s.part == part, f"{s.name} belongs to part {s.part}")
    c.need(bool(a.registers) == s.has_chance, f"{s.name}: registers and chance belong together")
    if a.registers:
        wanted: list[n.Local] = [s.me, *(p.local for p in s.params)]
        c.need([v.type for v in a.registers] == [w.type for w in wanted], f"the registers of {s.name} do not fit")
        c.need(not any(v.keys for v in a.registers), f"the registers of {s.name} are maps")


def _choose(c: Checker, d: n.Choose) -> None:
    _who(c, d, d.part)
    c.keys(d.var.keys, d.keys, NOBODY, d.var.name)
    c.expr(d.source, NOBODY)
    if isinstance(d.var.type, n.StoredT):
        c.need(False, f"{d.var.name} cannot be chosen")
        return
    c.need(isinstance(d.source.type, n.SetT), "the values to choose from are not a set")
    if isinstance(d.source.type, n.SetT):
        c.need(elements_match(d.var.type, d.source.type.domain), "the values to choose from do not fit the variable")
        c.need(len(d.names) == d.source.type.domain.size, "not one name a value")


def _chance(c: Checker, d: n.Chance) -> None:
    c.need(not d.result.keys, "the result of chance is a map")
    c.set_over(d.over, d.local, NOBODY)
    c.expr(d.weight, {d.local.id: d.local})
    c.need(isinstance(d.weight.type, n.IntT), "a weight is not a number")
    fits = not isinstance(d.result.type, n.StoredT)
    c.need(fits, "the result of chance is not a single value")
    if isinstance(d.over.type, n.SetT) and not isinstance(d.result.type, n.StoredT):
        c.need(elements_match(d.result.type, d.over.type.domain), "the outcomes do not fit the result")
        c.need(len(d.names) == d.over.type.domain.size, "not one name an outcome")


def _end(c: Checker, d: n.End) -> None:
    count = c.program.players.size
    c.need(len(d.payoff) == count, f"{len(d.payoff)} payoffs for {count} players")
    c.need(len(d.scores) in (0, count), f"{len(d.scores)} scores for {count} players")
    c.expect(d.winners, n.SetT(c.program.players), NOBODY)
    for e in (*d.payoff, *d.scores):
        c.expr(e, NOBODY)
        c.need(isinstance(e.type, n.IntT), "a payoff or score is not a number")


# ------------------------------------------------------------------------------------------------ presentation


def _people(c: Checker, part: int) -> None:
    for mark in c.program.parts[part].looks:
        scope: Scope = {}
        for local, over in mark.binders:
            c.set_over(over, local, scope)
            scope[local.id] = local
        for e in mark.reads:
            c.expr(e, scope)
        for end in mark.ends:
            c.need(isinstance(end.place.type, n.ElemT), "an end of a line is not a place")
            c.need(len(end.offset) in (0, 2), "a point in a place has two numbers")
    for leaving in c.program.parts[part].leavings:
        scope = {x.id: x for x in (*((leaving.me,) if leaving.me else ()), *leaving.params)}
        for local, over in leaving.binders:
            c.set_over(over, local, scope)
            scope[local.id] = local
        for e in (*leaving.on, *(x for x in (leaving.when, leaving.large) if x is not None)):
            c.expr(e, scope)
