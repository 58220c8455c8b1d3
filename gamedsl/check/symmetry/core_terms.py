"""Encodes the Core as terms (``terms``) whose points are domain elements and variables.

A permutation of points preserves the Core if it preserves all facts. Whatever could distinguish elements by their
order (numbers of elements, "the first of", loops whose iterations interfere) fixes their whole domain. Only what
matters from a stop on is encoded: a symmetry need not preserve what came before.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from gamedsl.check.symmetry.commuting_loops import rounds_commute
from gamedsl.check.symmetry.expression_terms import NOT_TURNED, Expressions, Names, asked_element, bound, meant
from gamedsl.check.symmetry.terms import NoSymmetry
from gamedsl.core import at_rest, is_stop, reached, substitute, targets
from gamedsl.core.nodes import (
    Assign,
    BranchT,
    Chance,
    Check,
    Choose,
    Const,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    DrawingT,
    Effect,
    ElemT,
    End,
    Expr,
    ForS,
    Goto,
    HistoryT,
    IfS,
    LetS,
    NoteS,
    OptT,
    PopS,
    Program,
    PushS,
    Reset,
    Schema,
    StackT,
    StopS,
    Terminator,
    Var,
)
from gamedsl.native import is_pure


def blocks_after(program: Program, stop: int) -> frozenset[int]:
    """Returns the blocks that can be entered after a stop at the end of this block."""
    return frozenset(reached(program, targets(program.blocks[stop].end)))


class Core(Expressions):
    """The part of a program that matters at and after a stop at the end of a block, as terms. ``asked``: further
    expressions to preserve; without ``seats`` players are fixed.

    Raises ``NoSymmetry`` for what can't be permuted.
    """

    def __init__(self, program: Program, stop: int, asked: Sequence[Expr] = (), seats: bool = True) -> None:
        super().__init__(program)
        self.at_rest = at_rest(program, asked)
        self._schemas: set[int] = set()
        self.variables = [self._variable(v) for v in program.variables]
        if not seats:
            self.fix(program.players)
        self._everything(stop, asked)

    def _everything(self, stop: int, asked: Sequence[Expr]) -> None:
        for i in sorted(blocks_after(self.program, stop)):
            b = self.program.blocks[i]
            resting = self.at_rest[i] if is_stop(b) else frozenset()
            self.terms.say(("block", i), self.statements(b.statements, {}, resting), self.terminator(b.end))
        self.terms.say(("stop", stop), self.terminator(self.program.blocks[stop].end))
        for number, e in enumerate(asked):
            self.terms.say(("asked", number), self.expr(e, {}))

    def _variable(self, var: Var) -> int:
        if isinstance(var.type, HistoryT | DrawingT):
            raise NoSymmetry(NOT_TURNED)
        resting = tuple(i for i, at in enumerate(self.at_rest) if var.index in at)
        keys = tuple(self.number(k) for k in var.keys)
        return self.terms.point(("variable", keys, self.named_type(var.type), var.seen, var.role, var.part, resting))

    # -------------------------------------------------------------------------------------------- statements

    def statements(self, stmts: Sequence[CoreStmt], names: Names, resting: frozenset[int] = frozenset()) -> int:
        """Returns the term of a statement list. ``resting``: variables that are dead at a stop right behind it."""
        found: list[int] = []
        for s in stmts:
            if isinstance(s, LetS):
                value = self.plain(substitute(s.value, meant(names)))
                if is_pure(value):
                    names = {**names, s.local.id: value}
                    continue
            if not (isinstance(s, Reset) and s.var.index in resting):
                found.append(self.statement(s, names))
            if isinstance(s, LetS):
                names = bound(names, s.local)
        return self.terms.term("then", *found)

    def statement(self, s: CoreStmt, names: Names) -> int:
        term = self.terms.term
        match s:
            case Assign(var, keys, value):
                return term("set", self.variables[var.index], *self.exprs(keys, names), self.expr(value, names))
            case Reset(var):
                return term("reset", self.variables[var.index], self.first_values(var))
            case LetS(_, value):
                return term("let", self.expr(value, names))
            case IfS(condition, then, otherwise):
                return self.either(condition, then, otherwise, names)
            case ForS(local, over, body):
                if not isinstance(local.type, ElemT) or not rounds_commute(self.program, s):
                    self.fix_type(over.type)
                return term("for", self.expr(over, names), self.statements(body, bound(names, local)))
            case StopS():
                return term("stop")
            case Check(condition, message):
                return term(("check", message, s.span), self.expr(condition, names))
            case PushS(var, keys, value):
                there = self.variables[var.index], *self.exprs(keys, names)
                return term(("push", s.span), *there, self.expr(value, names))
            case PopS(var, keys):
                return term(("pop", s.span), self.variables[var.index], *self.exprs(keys, names))
            case Effect(schema, args):
                self.schema(schema)
                return term(("effect", schema), *self.exprs(args, names))
            case NoteS():
                raise NoSymmetry(NOT_TURNED)

    def either(self, condition: Expr, then: Sequence[CoreStmt], otherwise: Sequence[CoreStmt], names: Names) -> int:
        """Like ``cond``, for statements."""
        both = self.statements(then, names), self.statements(otherwise, names)
        asked = asked_element(condition)
        if asked is None or asked[1].domain.size == 1:
            return self.terms.term("if", self.expr(condition, names), *both)
        subject, t, code = asked
        return self.cases(subject, t.domain, dict.fromkeys(range(t.domain.size), both[1]) | {code: both[0]}, names)

    def first_values(self, var: Var) -> int:
        """Returns the initial values of all slots."""
        if isinstance(var.type, StackT):
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
        if not any(isinstance(g.condition, Const) and not g.condition.value for g in s.guards):
            self.terms.say(("move", index), *self._schema(s))
        self.given = before

    def _schema(self, s: Schema) -> list[int]:
        names = bound({}, s.me)
        found: list[int] = []
        for p in s.params:
            if not isinstance(p.local.type, ElemT):
                self.fix_type(p.over.type)
            found.append(self.expr(p.over, names))
            names = bound(names, p.local)
        conditions = [self.expr(g.condition, names) for g in (*s.guards, *s.forbids)]
        return [*found, *conditions, self.statements(s.effect, names)]

    def terminator(self, t: Terminator) -> int:
        term = self.terms.term
        match t:
            case Goto(target):
                return term(("go to", target))
            case BranchT(condition, yes, no):
                return term(("branch", yes, no), self.expr(condition, {}))
            case Decide():
                who = self.exprs((t.seat, t.mover), {})
                return term(("decide", t.stuck, t.may_pass), *who, self.statements(t.tick, {}), *self.alternatives(t))
            case DecideTogether():  # effects run in the players' order, and open choices keep their seats
                self.fix(self.program.players, self.program.parts[t.part].players)
                who = self.exprs((t.movers, *t.seats), {})
                return term(("together", t.target), *who, self.statements(t.tick, {}), *self.alternatives(t))
            case Choose():
                self._fix_numbers(t.var, t.source)
                who = self.exprs((t.seat, t.mover, *t.keys, t.source), {})
                return term(("choose", t.target), self.variables[t.var.index], *who, self.statements(t.tick, {}))
            case Chance():
                if not isinstance(t.local.type, ElemT):
                    self.fix_type(t.over.type)
                self._fix_numbers(t.result, t.over)
                falls = self.expr(t.over, {}), self.expr(t.weight, bound({}, t.local))
                return term(("chance", t.target), self.variables[t.result.index], *falls)
            case End():
                players = self.points(self.program.players)
                payoff = [term("payoff", p, self.expr(e, {})) for p, e in zip(players, t.payoff, strict=True)]
                scores = [term("score", p, self.expr(e, {})) for p, e in zip(players, t.scores, strict=False)]
                ends = self.terms.mixed("payoffs", payoff), self.terms.mixed("scores", scores)
                return term("end", self.expr(t.winners, {}), *ends)
            case DecideDrawing():
                raise NoSymmetry(NOT_TURNED)

    def _fix_numbers(self, var: Var, source: Expr) -> None:
        """Fixes a set's elements where they become values other than elements."""
        t = var.type.inner if isinstance(var.type, OptT) else var.type
        if not isinstance(t, ElemT):
            self.fix_type(source.type, t if not isinstance(t, StackT) else t.inner)

    def alternatives(self, t: Decide | DecideTogether) -> list[int]:
        found: list[int] = []
        for a in t.alternatives:
            self.schema(a.schema)
            registers = (self.variables[v.index] for v in a.registers)
            found.append(self.terms.term(("alternative", a.schema, a.target), *registers))
        return found
