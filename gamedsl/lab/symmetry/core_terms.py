"""Encodes the Core as terms (``terms``) whose points are domain elements and variables.

A permutation of points preserves the Core if it preserves all facts. Anything that could distinguish elements by
their order (numbers of elements, "the first of", loops whose iterations interfere) fixes their whole domain. Only
the part that matters from a stop on is encoded: a symmetry need not preserve what came before.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gamedsl.compiler import is_pure
from gamedsl.lab.symmetry.commuting_loops import rounds_commute
from gamedsl.lab.symmetry.expression_terms import NOT_TURNED, Expressions, Names, asked_element, bound, meant
from gamedsl.lab.symmetry.terms import NoSymmetry
from gamedsl.language.core import at_rest, is_stop, reached, substitute, targets
from gamedsl.language.core import nodes as n


def blocks_after(program: n.Program, stop: int) -> frozenset[int]:
    """Returns the blocks that can be entered after a stop at the end of this block."""
    return frozenset(reached(program, targets(program.blocks[stop].end)))


class Core(Expressions):
    """The part of a program that matters at and after a stop at the end of a block, as terms.

    ``asked``: further expressions to preserve; without ``seats`` players are fixed.

    Raises ``NoSymmetry`` for constructs that cannot be permuted.
    """

    def __init__(self, program: n.Program, stop: int, asked: Sequence[n.Expr] = (), seats: bool = True) -> None:
        super().__init__(program)
        self.at_rest = at_rest(program, asked)
        self._schemas: set[int] = set()
        self.variables = [self._variable(v) for v in program.variables]
        if not seats:
            self.fix(program.players)
        self._everything(stop, asked)

    def _everything(self, stop: int, asked: Sequence[n.Expr]) -> None:
        for i in sorted(blocks_after(self.program, stop)):
            b = self.program.blocks[i]
            resting = self.at_rest[i] if is_stop(b) else frozenset()
            self.terms.say(("block", i), self.statements(b.statements, {}, resting), self.terminator(b.end))
        self.terms.say(("stop", stop), self.terminator(self.program.blocks[stop].end))
        for number, e in enumerate(asked):
            self.terms.say(("asked", number), self.expr(e, {}))

    def _variable(self, var: n.Var) -> int:
        if isinstance(var.type, n.HistoryT | n.DrawingT):
            raise NoSymmetry(NOT_TURNED)
        resting = tuple(i for i, at in enumerate(self.at_rest) if var.index in at)
        keys = tuple(self.number(k) for k in var.keys)
        return self.terms.point(("variable", keys, self.named_type(var.type), var.seen, var.role, var.part, resting))

    # -------------------------------------------------------------------------------------------- statements

    def statements(self, stmts: Sequence[n.CoreStmt], names: Names, resting: frozenset[int] = frozenset()) -> int:
        """Returns the term of a statement list. ``resting``: variables that are dead at a stop right after it."""
        found: list[int] = []
        for s in stmts:
            if isinstance(s, n.LetS):
                value = self.plain(substitute(s.value, meant(names)))
                if is_pure(value):
                    names = {**names, s.local.id: value}
                    continue
            if not (isinstance(s, n.Reset) and s.var.index in resting):
                found.append(self.statement(s, names))
            if isinstance(s, n.LetS):
                names = bound(names, s.local)
        return self.terms.term("then", *found)

    def statement(self, s: n.CoreStmt, names: Names) -> int:
        term = self.terms.term
        match s:
            case n.Assign(var, keys, value):
                return term("set", self.variables[var.index], *self.exprs(keys, names), self.expr(value, names))
            case n.Reset(var):
                return term("reset", self.variables[var.index], self.first_values(var))
            case n.LetS(_, value):
                return term("let", self.expr(value, names))
            case n.IfS(condition, then, otherwise):
                return self.either(condition, then, otherwise, names)
            case n.ForS(local, over, body):
                if not isinstance(local.type, n.ElemT) or not rounds_commute(self.program, s):
                    self.fix_type(over.type)
                return term("for", self.expr(over, names), self.statements(body, bound(names, local)))
            case n.StopS():
                return term("stop")
            case n.Check(condition, message):
                return term(("check", message, s.span), self.expr(condition, names))
            case n.PushS(var, keys, value):
                there = self.variables[var.index], *self.exprs(keys, names)
                return term(("push", s.span), *there, self.expr(value, names))
            case n.PopS(var, keys):
                return term(("pop", s.span), self.variables[var.index], *self.exprs(keys, names))
            case n.Effect(schema, args):
                self.schema(schema)
                return term(("effect", schema), *self.exprs(args, names))
            case n.NoteS():
                raise NoSymmetry(NOT_TURNED)

    def either(
        self, condition: n.Expr, then: Sequence[n.CoreStmt], otherwise: Sequence[n.CoreStmt], names: Names
    ) -> int:
        """Encodes an ``if`` statement; like ``cond``, for statements."""
        both = self.statements(then, names), self.statements(otherwise, names)
        asked = asked_element(condition)
        if asked is None or asked[1].domain.size == 1:
            return self.terms.term("if", self.expr(condition, names), *both)
        subject, t, code = asked
        return self.cases(subject, t.domain, dict.fromkeys(range(t.domain.size), both[1]) | {code: both[0]}, names)

    def first_values(self, var: n.Var) -> int:
        """Returns the term of the initial values of all slots."""
        if isinstance(var.type, n.StackT):
            return self.terms.term("empty stacks")
        keys = [self.points(k) for k in var.keys]
        slots = zip(product(*keys), var.initial, strict=True)
        return self.terms.mixed("slots", (self.terms.term("slot", *at, self.value(var.type, x)) for at, x in slots))

    # ------------------------------------------------------------------------------------ moves and the course

    def schema(self, index: int | None) -> None:
        """Encodes a kind of move, once."""
        if index is None or index in self._schemas:
            return
        self._schemas.add(index)
        s = self.program.schemas[index]
        before, self.given = self.given, ()
        if not any(isinstance(g.condition, n.Const) and not g.condition.value for g in s.guards):
            self.terms.say(("move", index), *self._schema(s))
        self.given = before

    def _schema(self, s: n.Schema) -> list[int]:
        names = bound({}, s.me)
        found: list[int] = []
        for p in s.params:
            if not isinstance(p.local.type, n.ElemT):
                self.fix_type(p.over.type)
            found.append(self.expr(p.over, names))
            names = bound(names, p.local)
        conditions = [self.expr(g.condition, names) for g in (*s.guards, *s.forbids)]
        return [*found, *conditions, self.statements(s.effect, names)]

    def terminator(self, t: n.Terminator) -> int:
        term = self.terms.term
        match t:
            case n.Goto(target):
                return term(("go to", target))
            case n.BranchT(condition, yes, no):
                return term(("branch", yes, no), self.expr(condition, {}))
            case n.Decide():
                who = self.exprs((t.seat, t.mover), {})
                return term(("decide", t.stuck, t.may_pass), *who, self.statements(t.tick, {}), *self.alternatives(t))
            case n.DecideTogether():  # effects run in the players' order, and open choices keep their seats
                self.fix(self.program.players, self.program.parts[t.part].players)
                who = self.exprs((t.movers, *t.seats), {})
                return term(("together", t.target), *who, self.statements(t.tick, {}), *self.alternatives(t))
            case n.Choose():
                self._fix_numbers(t.var, t.source)
                who = self.exprs((t.seat, t.mover, *t.keys, t.source), {})
                return term(("choose", t.target), self.variables[t.var.index], *who, self.statements(t.tick, {}))
            case n.Chance():
                if not isinstance(t.local.type, n.ElemT):
                    self.fix_type(t.over.type)
                self._fix_numbers(t.result, t.over)
                falls = self.expr(t.over, {}), self.expr(t.weight, bound({}, t.local))
                return term(("chance", t.target), self.variables[t.result.index], *falls)
            case n.End():
                players = self.points(self.program.players)
                payoff = [term("payoff", p, self.expr(e, {})) for p, e in zip(players, t.payoff, strict=True)]
                scores = [term("score", p, self.expr(e, {})) for p, e in zip(players, t.scores, strict=False)]
                ends = self.terms.mixed("payoffs", payoff), self.terms.mixed("scores", scores)
                return term("end", self.expr(t.winners, {}), *ends)
            case n.DecideDrawing():
                raise NoSymmetry(NOT_TURNED)

    def _fix_numbers(self, var: n.Var, source: n.Expr) -> None:
        """Fixes a set's elements if they become values other than elements."""
        t = var.type.inner if isinstance(var.type, n.OptT) else var.type
        if not isinstance(t, n.ElemT):
            self.fix_type(source.type, t if not isinstance(t, n.StackT) else t.inner)

    def alternatives(self, t: n.Decide | n.DecideTogether) -> list[int]:
        found: list[int] = []
        for a in t.alternatives:
            self.schema(a.schema)
            registers = (self.variables[v.index] for v in a.registers)
            found.append(self.terms.term(("alternative", a.schema, a.target), *registers))
        return found
