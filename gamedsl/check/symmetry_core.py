"""Does a turn map the Core to itself? Everything is written down twice, as it is and turned, and compared.

What is written down is a nested tuple, the same for sides in another order where order does not matter. Whatever could
tell elements apart by their order (numbers of elements, "the first of", loops whose rounds can interfere) refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any, TypeAlias

from gamedsl.boards.domains import Domain
from gamedsl.check.symmetry import NoSymmetry, Turn
from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    Assign,
    Block,
    BoolT,
    BranchT,
    CallF,
    Chance,
    Check,
    Choose,
    Cond,
    Const,
    Convert,
    CoreGuard,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    DrawingT,
    Effect,
    ElemT,
    End,
    Expr,
    Flood,
    ForS,
    Get,
    Goto,
    HistoryT,
    IfS,
    IntT,
    LetE,
    LetS,
    Load,
    Lookup,
    Loop,
    Noted,
    NoteS,
    Op1,
    Op2,
    OptT,
    PopS,
    Program,
    PushS,
    Reset,
    Schema,
    SetT,
    SomeMove,
    StackOp,
    StackT,
    StopS,
    TableData,
    Terminator,
    Var,
    VarT,
)
from gamedsl.core.traverse import (
    exprs_of,
    inner_statements,
    is_stop,
    statement_exprs,
    targets,
    terminator_exprs,
    terminator_tick,
    walk,
    walk_statements,
    written,
)

Shape: TypeAlias = Any
ANY_ORDER = {"and", "or", "eq", "ne", "disjoint", "union", "meet", "add", "mul", "min", "max"}


def expressions(program: Program) -> Iterator[Expr]:
    """Every outermost expression of the rules."""
    yield from (f.body for f in program.functions)
    for s in program.schemas:
        yield from (p.over for p in s.params)
        yield from (g.condition for g in (*s.guards, *s.forbids))
        yield from exprs_of(s.effect)
    for b in program.blocks:
        yield from exprs_of(b.statements)
        yield from exprs_of(terminator_tick(b.end))
        yield from terminator_exprs(b.end)


def recurring(program: Program) -> list[Block]:
    """The blocks that can be entered after the first stop."""
    stops = _reached(program, [program.entry], past_stops=False)
    todo = [t for i in stops if is_stop(program.blocks[i]) for t in targets(program.blocks[i].end)]
    later = _reached(program, todo, past_stops=True)
    return [b for b in program.blocks if b.index in later]


def _reached(program: Program, todo: list[int], past_stops: bool) -> set[int]:
    found: set[int] = set()
    todo = list(todo)
    while todo:
        i = todo.pop()
        if i not in found:
            found.add(i)
            if past_stops or not is_stop(program.blocks[i]):
                todo.extend(targets(program.blocks[i].end))
    return found


class Core:
    """A program, written down as it is, for comparison."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.later = recurring(program)
        first = _reached(program, [program.entry], past_stops=False)
        self.stops = [program.blocks[i] for i in sorted(first) if is_stop(program.blocks[i])]
        self.plain = _Writer(program, None)
        self.as_it_is = self.plain.everything(self.later, self.stops)

    def maps_to_itself(self, turn: Turn, asked: tuple[Expr, ...] = ()) -> bool:
        """Is the turned Core the same?"""
        writer = _Writer(self.program, turn)
        try:
            if writer.everything(self.later, self.stops) != self.as_it_is:
                return False
            return all(writer.expr(e) == self.plain.expr(e) for e in asked)
        except NoSymmetry:
            return False


class _Writer:
    """Writes the Core down, turned if there is a turn."""

    def __init__(self, program: Program, turn: Turn | None) -> None:
        self.program, self.turn = program, turn
        self.tables: dict[int, Shape] = {}

    def everything(self, later: list[Block], stops: list[Block]) -> Shape:
        blocks = [(b.index, self.statements(b.statements), self.terminator(b.end)) for b in later]
        first = [(b.index, self.terminator(b.end)) for b in stops]
        functions = [self.expr(f.body) for f in self.program.functions]
        variables = [self.initial(v) for v in self.program.variables]
        return blocks, first, functions, [self.schema(s) for s in self.program.schemas], variables

    # ------------------------------------------------------------------------------------------------ values

    def value(self, t: VarT, code: int) -> int:
        return code if self.turn is None else self.turn.value(t, code)

    def moves(self, t: VarT) -> bool:
        """Do values of this type change?"""
        t = t.inner if isinstance(t, OptT | StackT) else t
        return self.turn is not None and isinstance(t, ElemT | SetT) and self.turn.moves(t.domain)

    def initial(self, var: Var) -> Shape:
        """What the slots hold at first, by their turned keys."""
        if isinstance(var.type, HistoryT | DrawingT):
            raise NoSymmetry("histories and drawings are not turned")
        return self.by_keys(var.keys, var.type.inner if isinstance(var.type, StackT) else var.type, var.initial)

    def by_keys(self, keys: tuple[Domain, ...], t: VarT, values: tuple[int, ...]) -> Shape:
        if self.turn is None:
            return tuple(values)
        found = [0] * len(values)
        moved = [self.turn.of(k) for k in keys]
        for at, value in zip(product(*(range(k.size) for k in keys)), values, strict=True):
            index = 0
            for domain, m, x in zip(keys, moved, at, strict=True):
                index = index * domain.size + m[x]
            found[index] = self.value(t, value)
        return tuple(found)

    def table(self, table: TableData) -> Shape:
        key = id(table.values)
        if key not in self.tables:
            self.tables[key] = (table.name, self.by_keys(table.keys, table.type, table.values))
        return self.tables[key]

    # ------------------------------------------------------------------------------------------- expressions

    def expr(self, e: Expr) -> Shape:
        match e:
            case Const(value, t):
                return "const", self.value(t, value)
            case Load(local):
                return "load", local.id
            case Get(var, keys):
                return "get", var.index, self.exprs(keys)
            case Lookup(table, keys):
                return "lookup", self.table(table), self.exprs(keys)
            case Op1(op, operand):
                if op == "first" and self.moves(operand.type):
                    raise NoSymmetry("the first of a set")
                return op, self.expr(operand)
            case Op2():
                return self.op2(e)
            case Convert(operand, t):
                if self.moves(operand.type) or self.moves(t):
                    raise NoSymmetry("the number of an element")
                return "convert", self.expr(operand), str(t)
            case Cond(condition, then, otherwise):
                return "if", self.expr(condition), self.expr(then), self.expr(otherwise)
            case LetE(local, value, body):
                return "let", local.id, self.expr(value), self.expr(body)
            case Loop(kind, local, over, condition, body):
                filtered = None if condition is None else self.expr(condition)
                return kind, local.id, self.expr(over), filtered, self.expr(body)
            case CallF(function, args):
                return "call", function, self.exprs(args)
            case StackOp(op, var, keys):
                return op, var.index, self.exprs(keys)
            case AfterE(schema, args, tick, body, passed):
                inside = self.statements(tick), self.expr(body), self.statements(passed)
                return "after", schema, self.exprs(args), *inside
            case Flood(start, within, table):
                return "flood", self.expr(start), self.expr(within), self.table(table)
            case SomeMove():
                branches = [(b.schema, b.me.id, self.expr(b.body)) for b in e.branches]
                return "some move", e.kind, self.expr(e.mover), branches, e.legal, self.statements(e.tick)
            case Noted() | Arranged():
                raise NoSymmetry("histories and drawings are not turned")

    def exprs(self, es: tuple[Expr, ...]) -> Shape:
        return tuple(self.expr(e) for e in es)

    def op2(self, e: Op2) -> Shape:
        if e.op in ("lt", "le", "sub", "div", "mod", "min", "max") and (
            self.moves(e.left.type) or self.moves(e.right.type)
        ):
            raise NoSymmetry("elements in order")
        if e.op not in ANY_ORDER:
            return e.op, self.expr(e.left), self.expr(e.right)
        if e.op == "eq" and isinstance(e.left.type, BoolT | IntT | ElemT | OptT | SetT):
            return e.op, *sorted((self.expr(e.left), self.expr(e.right)), key=repr)
        return e.op, *sorted(self.chain(e, e.op), key=repr)

    def chain(self, e: Expr, op: str) -> list[Shape]:
        """The members of ``a | b | c``."""
        if isinstance(e, Op2) and e.op == op and op not in ("eq", "ne", "disjoint"):
            return [*self.chain(e.left, op), *self.chain(e.right, op)]
        if isinstance(e, Op2) and e.op == op:
            return [self.expr(e.left), self.expr(e.right)]
        return [self.expr(e)]

    # -------------------------------------------------------------------------------------------- statements

    def statements(self, stmts: tuple[CoreStmt, ...]) -> Shape:
        return tuple(self.statement(s) for s in stmts)

    def statement(self, s: CoreStmt) -> Shape:
        match s:
            case Assign(var, keys, value):
                return "set", var.index, self.exprs(keys), self.expr(value)
            case Reset(var):
                return "reset", var.index
            case LetS(local, value):
                return "let", local.id, self.expr(value)
            case IfS(condition, then, otherwise):
                return "if", self.expr(condition), self.statements(then), self.statements(otherwise)
            case ForS(local, over, body):
                if self.moves(over.type) and not _rounds_commute(s):
                    raise NoSymmetry("a loop whose rounds may interfere")
                return "for", local.id, self.expr(over), self.statements(body)
            case StopS():
                return "stop"
            case Check(condition, message):
                return "check", self.expr(condition), message
            case PushS(var, keys, value):
                return "push", var.index, self.exprs(keys), self.expr(value)
            case PopS(var, keys):
                return "pop", var.index, self.exprs(keys)
            case Effect(schema, args):
                return "effect", schema, self.exprs(args)
            case NoteS():
                raise NoSymmetry("histories are not turned")

    # ------------------------------------------------------------------------------------ moves and the course

    def schema(self, s: Schema) -> Shape:
        params = [(p.local.id, self.expr(p.over)) for p in s.params]
        return params, self.guards(s.guards), self.guards(s.forbids), self.statements(s.effect)

    def guards(self, guards: tuple[CoreGuard, ...]) -> Shape:
        return [self.expr(g.condition) for g in guards]

    def terminator(self, t: Terminator) -> Shape:
        match t:
            case Goto(target):
                return "go to", target
            case BranchT(condition, yes, no):
                return "branch", self.expr(condition), yes, no
            case Decide():
                alternatives = [(a.schema, a.target, [v.index for v in a.registers]) for a in t.alternatives]
                who = self.expr(t.seat), self.expr(t.mover)
                return "decide", *who, alternatives, self.statements(t.tick), t.stuck, t.may_pass
            case DecideTogether():
                alternatives = [(a.schema, a.target, [v.index for v in a.registers]) for a in t.alternatives]
                if self.turn is not None and self.turn.moves(self.program.parts[t.part].players):
                    raise NoSymmetry("effects are done in the order of the players")
                return (
                    "together",
                    self.expr(t.movers),
                    self.exprs(t.seats),
                    alternatives,
                    self.statements(t.tick),
                    t.target,
                )
            case Choose():
                who = self.expr(t.seat), self.expr(t.mover)
                what = t.var.index, self.exprs(t.keys), self.expr(t.source)
                return "choose", *who, *what, self.statements(t.tick), t.target
            case Chance():
                return "chance", t.result.index, self.expr(t.over), self.expr(t.weight), t.target
            case End():
                return "end", self.players(t.payoff), self.expr(t.winners), self.players(t.scores), t.unit
            case DecideDrawing():
                raise NoSymmetry("drawings are not turned")

    def players(self, es: tuple[Expr, ...]) -> Shape:
        """One expression a player, at the place where the player goes."""
        shapes = self.exprs(es)
        if self.turn is None or not shapes:
            return shapes
        return tuple(shape for _, shape in sorted(zip(self.turn.seats, shapes, strict=True), key=lambda pair: pair[0]))


def _rounds_commute(loop: ForS) -> bool:
    """Does every round write slots of its own, and read nothing that another round writes?"""
    touched: set[int] = set()
    for s in walk_statements(loop.body):
        if isinstance(s, StopS | NoteS | Effect | ForS | Reset):
            return False
        var = written(s)
        if var is not None:
            if not any(isinstance(k, Load) and k.local == loop.local for k in getattr(s, "keys", ())):
                return False
            touched.add(var.index)
    return not any(_reads(s, touched) for s in loop.body)


def _reads(s: CoreStmt, touched: set[int]) -> bool:
    for e in statement_exprs(s):
        for x in walk(e):
            if isinstance(x, CallF | AfterE | SomeMove) or (isinstance(x, Get | StackOp) and x.var.index in touched):
                return True
    return any(_reads(inner, touched) for inner in inner_statements(s))
