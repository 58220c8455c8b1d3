"""The Core written down as terms (``symmetry_terms``) whose points are the elements of domains and the variables.

Exchanging points leaves the Core as it is when all facts stay. Whatever could tell elements apart by their order (numbers
of elements, "the first of", loops whose rounds can interfere) makes their whole domain stay. Only what can matter from a
stop on is written: a symmetry need not leave as it is what has been before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

from gamedsl.boards.domains import Domain, elements
from gamedsl.check.symmetry_commute import rounds_commute
from gamedsl.check.symmetry_tables import Plain, Values, can_fail_itself, codes, joined
from gamedsl.check.symmetry_terms import NoSymmetry, Terms
from gamedsl.core.liveness import at_rest
from gamedsl.core.nodes import (
    AfterE,
    Arranged,
    Assign,
    BranchT,
    CallF,
    Chance,
    Check,
    Choose,
    Cond,
    Const,
    Convert,
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
    LetE,
    LetS,
    Load,
    Local,
    Lookup,
    Loop,
    MoveBranch,
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
    ValueT,
    Var,
    VarT,
)
from gamedsl.core.traverse import children, is_stop, substitute, targets
from gamedsl.native.passes.tables import pure

Names: TypeAlias = dict[int, int | Expr]
ANY_ORDER = {"and", "or", "union", "meet", "add", "mul", "min", "max"}
BOTH_WAYS = {"eq", "ne", "disjoint"}
BY_ORDER = {"lt", "le", "sub", "div", "mod", "add", "mul", "min", "max"}
MOST_CASES = 64
NOT_TURNED = "noted positions and drawings are not turned"


def ways_on(program: Program, stop: int) -> frozenset[int]:
    """The blocks that can be entered after a stop at the end of this block."""
    return frozenset(_reached(program, list(targets(program.blocks[stop].end))))


def _reached(program: Program, todo: list[int]) -> set[int]:
    found: set[int] = set()
    while todo:
        i = todo.pop()
        if i not in found:
            found.add(i)
            todo.extend(targets(program.blocks[i].end))
    return found


class Core:
    """As much of a program as matters in a stop at the end of a block and after it, as terms. ``asked``: further expressions
    that have to stay; without ``seats`` players stay.

    Raises ``NoSymmetry`` for what can't be turned."""

    def __init__(self, program: Program, stop: int, asked: Sequence[Expr] = (), seats: bool = True) -> None:
        self.program = program
        self.terms = Terms()
        self.elements: dict[Domain, list[int]] = {}
        self.at_rest = at_rest(program, asked)
        self._tables: dict[int, int] = {}
        self._functions: dict[int, int] = {}
        self._schemas: set[int] = set()
        self._plain = Plain(program)
        self._values = Values()
        self.variables = [self._variable(v) for v in program.variables]
        if not seats:
            self.fix(program.players)
        self._everything(stop, asked)

    def _everything(self, stop: int, asked: Sequence[Expr]) -> None:
        for i in sorted(ways_on(self.program, stop)):
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
        keys = tuple(self._named(k) for k in var.keys)
        return self.terms.point(("variable", keys, self._type(var.type), var.seen, var.role, var.part, resting))

    # ------------------------------------------------------------------------------------------------ values

    def points(self, domain: Domain) -> list[int]:
        """The points of a domain."""
        if domain not in self.elements:
            kind = "element", len(self.elements)
            self.elements[domain] = [self.terms.point(kind) for _ in range(domain.size)]
        return self.elements[domain]

    def fix(self, *domains: Domain) -> None:
        """The elements of these domains have to stay."""
        for domain in domains:
            for i, point in enumerate(self.points(domain)):
                self.terms.say(("stays", i), point)

    def fix_type(self, *types: VarT) -> None:
        """As ``fix``, for the domain of a type, if it has one."""
        for t in types:
            t = t.inner if isinstance(t, OptT | StackT) else t
            if isinstance(t, ElemT | SetT):
                self.fix(t.domain)

    def _named(self, domain: Domain) -> int:
        self.points(domain)
        return list(self.elements).index(domain)

    def _type(self, t: VarT) -> str:
        match t:
            case ElemT(domain):
                return f"element {self._named(domain)}"
            case SetT(domain):
                return f"set {self._named(domain)}"
            case OptT(inner):
                return f"optional {self._type(inner)}"
            case StackT(inner, limit):
                return f"stack {self._type(inner)} {limit}"
            case _:
                return str(t)

    def value(self, t: VarT, code: int) -> int:
        """A constant."""
        match t:
            case ElemT(domain):
                return self.points(domain)[code]
            case SetT(domain):
                points = self.points(domain)
                return self.terms.mixed(("set", self._named(domain)), (points[i] for i in elements(code)))
            case OptT(ElemT() as inner):
                return self.terms.term("wrap", self.value(inner, code - 1)) if code else self.terms.term("none")
            case OptT():
                return self.terms.term(("optional", code))
            case _:
                return self.terms.term(("number", code))

    def table(self, table: TableData) -> int:
        """A table by what it says; what it says nothing of is left out."""
        key = id(table.values)
        if key not in self._tables:
            kind = tuple(f"element {self._named(k)}" for k in table.keys), self._type(table.type)
            self._tables[key] = self.rows(kind, [self.points(k) for k in table.keys], table.type, table.values)
        return self._tables[key]

    def rows(self, kind: object, keys: list[list[int]], t: ValueT, values: Sequence[int]) -> int:
        rows = [
            self.terms.term("row", *at, self.value(t, value))
            for at, value in zip(product(*keys), values, strict=True)
            if value or isinstance(t, ElemT)
        ]
        return self.terms.mixed(("table", kind), rows)

    # ------------------------------------------------------------------------------------------- expressions

    def expr(self, e: Expr, names: Names) -> int:
        """The term of an expression; ``names`` has, per local, how many were bound before it, or what it stands for."""
        return self.part(self._plain(substitute(e, _meant(names))), names)

    def exprs(self, es: Iterable[Expr], names: Names) -> list[int]:
        return [self.expr(e, names) for e in es]

    def part(self, e: Expr, names: Names) -> int:
        """The term of an expression in which no name stands for another expression."""
        if not isinstance(e, Const | Load) and not _looked_up(e) and (worked_out := self._values(e)) is not None:
            return self.known(e, *worked_out, names)
        term = self.terms.term
        match e:
            case Const(value, t):
                return self.value(t, value)
            case Load(local):
                return term(("local", names.get(local.id, -1)))
            case Get(var, keys):
                return term("get", self.variables[var.index], *self.parts(keys, names))
            case Lookup(table, keys):
                return term("lookup", self.table(table), *self.parts(keys, names))
            case Op1():
                return self.op1(e, names)
            case Op2():
                return self.op2(e, names)
            case Convert(operand, t):
                if isinstance(operand.type, ElemT) or isinstance(t, ElemT):
                    self.fix_type(operand.type, t)
                return term(("convert", self._type(t), e.span), self.part(operand, names))
            case Cond():
                return self.cond(e, names)
            case LetE(local, value, body):
                if pure(value):
                    return self.part(substitute(body, {local.id: value}), names)
                return term("let", self.part(value, names), self.part(body, _bound(names, local)))
            case Loop():
                return self.loop(e, names)
            case CallF(function, args):
                return term("call", self.function(function), *self.parts(args, names))
            case StackOp(op, var, keys):
                place = e.span if op == "top" else None
                return term((op, place), self.variables[var.index], *self.parts(keys, names))
            case AfterE(schema, args, tick, body, passed):
                self.schema(schema)
                around = self.statements(tick, names), self.part(body, names), self.statements(passed, names)
                return term(("after", schema), *self.parts(args, names), *around)
            case Flood(start, within, table):
                return term("flood", self.part(start, names), self.part(within, names), self.table(table))
            case SomeMove():
                branches = [self.branch(b, names) for b in e.branches]
                tried = self.part(e.mover, names), self.statements(e.tick, names)
                return term(("some move", e.kind, e.legal), *tried, *branches)
            case Noted() | Arranged():
                raise NoSymmetry(NOT_TURNED)

    def known(self, e: Expr, used: list[Local], values: tuple[int, ...], names: Names) -> int:
        """The term of an expression whose values are known for all that the names it uses may stand for."""
        keys = [[self.value(x.type, code) for code in codes(x)] for x in used]
        kind = tuple(self._type(x.type) for x in used), self._type(e.type)
        table = self.rows(kind, keys, e.type, values)
        return (
            self.terms.term("lookup", table, *(self.part(Load(x), names) for x in used))
            if used
            else self.value(e.type, values[0])
        )

    def parts(self, es: Iterable[Expr], names: Names) -> list[int]:
        return [self.part(e, names) for e in es]

    def branch(self, b: MoveBranch, names: Names) -> int:
        self.schema(b.schema)
        return self.terms.term(("tried", b.schema), self.part(b.body, _bound(names, b.me, *b.params)))

    def function(self, index: int) -> int:
        if index not in self._functions:
            f = self.program.functions[index]
            body = self.expr(f.body, _bound({}, *f.params))
            self._functions[index] = self.terms.term(("function", len(f.params)), body)
        return self._functions[index]

    def op1(self, e: Op1, names: Names) -> int:
        if e.op == "first" or (e.op == "single" and not isinstance(e.operand.type, ElemT)):
            self.fix_type(e.operand.type, e.type)
        place = e.span if e.op in ("unwrap", "first") else None
        tag = e.op if place is None else (e.op, place)
        return self.terms.term(tag, self.part(e.operand, names))

    def op2(self, e: Op2, names: Names) -> int:
        if e.op in BY_ORDER and (isinstance(e.left.type, ElemT) or isinstance(e.right.type, ElemT)):
            self.fix_type(e.left.type, e.right.type)
        if e.op == "in" and not isinstance(e.left.type, ElemT):
            self.fix_type(e.right.type)
        if e.op == "minus":
            return self.minus(e, names)
        if e.op == "disjoint" and (apart := self.apart(e, names)) is not None:
            return apart
        if e.op in BOTH_WAYS:
            return self.terms.mixed(e.op, self.parts((e.left, e.right), names))
        if e.op in ANY_ORDER:
            return self.chain(e, names)
        place = e.span if e.op in ("div", "mod") else None
        return self.terms.term((e.op, place), *self.parts((e.left, e.right), names))

    def chain(self, e: Op2, names: Names) -> int:
        """``a and b and c``: those that read no state as one; in any order if none can go wrong."""
        members = _chain(e, e.op)
        plain = [x for x in members if pure(x)]
        if len(plain) > 1 and self._values(joined(plain, e)) is not None:
            members = [joined(plain, e), *(x for x in members if not pure(x))]
        if e.op in ("and", "or") and any(self.can_fail(x) for x in members):
            return self.terms.term((e.op, "in order"), *self.parts(members, names))
        return self.terms.mixed(e.op, self.parts(members, names))

    def can_fail(self, e: Expr) -> bool:
        """May working it out end in a rules error? Not where all its values are known."""
        if self._values(e) is not None:
            return False
        if isinstance(e, CallF) and self.can_fail(self.program.functions[e.function].body):
            return True
        return can_fail_itself(e) or any(self.can_fail(c) for c in children(e))

    def minus(self, e: Op2, names: Names) -> int:
        """``a - b - c`` is ``a - (b | c)``."""
        base: Expr = e
        less: list[Expr] = []
        while isinstance(base, Op2) and base.op == "minus":
            less += _chain(base.right, "union")
            base = base.left
        return self.terms.term("minus", self.part(base, names), self.terms.mixed("union", self.parts(less, names)))

    def apart(self, e: Op2, names: Names) -> int | None:
        """What spreads from a set does not come to another: the same the other way round, if steps can be taken back."""
        for spread, goal in ((e.left, e.right), (e.right, e.left)):
            if isinstance(spread, Flood) and _both_ways(spread.table):
                ends = self.terms.mixed("ends", self.parts((spread.start, goal), names))
                return self.terms.term("apart", ends, self.part(spread.within, names), self.table(spread.table))
        return None

    def loop(self, e: Loop, names: Names) -> int:
        inner = _bound(names, e.local)
        in_order = e.kind in ("some", "every") and any(self.can_fail(x) for x in (e.condition, e.body) if x is not None)
        if in_order or not isinstance(e.local.type, ElemT):
            self.fix_type(e.over.type)
        place = e.span if e.kind in ("max", "min") else None
        filtered = self.terms.term("all") if e.condition is None else self.part(e.condition, inner)
        return self.terms.term((e.kind, place), self.part(e.over, names), filtered, self.part(e.body, inner))

    def cond(self, e: Cond, names: Names) -> int:
        """One thing or another. Asked what element something is, each of them has its own case."""
        asked = _asked(e.condition)
        if asked is None:
            return self.terms.term("if", *self.parts((e.condition, e.then, e.otherwise), names))
        return self.cases(asked[0], asked[1].domain, self._cases_of(e, names), names)

    def cases(self, subject: Expr, domain: Domain, cases: dict[int, int], names: Names) -> int:
        points = self.points(domain)
        whole = (self.terms.term("case", points[i], case) for i, case in cases.items())
        return self.terms.term("cases", self.part(subject, names), self.terms.mixed("of", whole))

    def _cases_of(self, e: Cond, names: Names) -> dict[int, int]:
        """What an expression is, per element that its condition asks for."""
        asked = _asked(e.condition)
        assert asked is not None
        subject, t, code = asked
        again = _asked(e.otherwise.condition) if isinstance(e.otherwise, Cond) else None
        if isinstance(e.otherwise, Cond) and again is not None and again[0] == subject:
            cases = self._cases_of(e.otherwise, names)
        elif t.domain.size > 1:
            cases = dict.fromkeys(range(t.domain.size), self.part(e.otherwise, names))
        else:
            cases = {}
        return cases | {code: self.part(e.then, names)}

    # -------------------------------------------------------------------------------------------- statements

    def statements(self, stmts: Sequence[CoreStmt], names: Names, resting: frozenset[int] = frozenset()) -> int:
        """The term of a list; ``resting``: variables that a stop right behind it puts to rest."""
        found: list[int] = []
        for s in stmts:
            if isinstance(s, LetS):
                value = self._plain(substitute(s.value, _meant(names)))
                if pure(value):
                    names = {**names, s.local.id: value}
                    continue
            if not (isinstance(s, Reset) and s.var.index in resting):
                found.append(self.statement(s, names))
            if isinstance(s, LetS):
                names = _bound(names, s.local)
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
                return term("for", self.expr(over, names), self.statements(body, _bound(names, local)))
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
        """As ``cond``, for statements."""
        both = self.statements(then, names), self.statements(otherwise, names)
        asked = _asked(condition)
        if asked is None or asked[1].domain.size == 1:
            return self.terms.term("if", self.expr(condition, names), *both)
        subject, t, code = asked
        return self.cases(subject, t.domain, dict.fromkeys(range(t.domain.size), both[1]) | {code: both[0]}, names)

    def first_values(self, var: Var) -> int:
        """What every slot holds at first."""
        if isinstance(var.type, StackT):
            return self.terms.term("empty stacks")
        keys = [self.points(k) for k in var.keys]
        slots = zip(product(*keys), var.initial, strict=True)
        return self.terms.mixed("slots", (self.terms.term("slot", *at, self.value(var.type, x)) for at, x in slots))

    # ------------------------------------------------------------------------------------ moves and the course

    def schema(self, index: int | None) -> None:
        """Says what a kind of move is, once."""
        if index is None or index in self._schemas:
            return
        self._schemas.add(index)
        s = self.program.schemas[index]
        if not any(isinstance(g.condition, Const) and not g.condition.value for g in s.guards):
            self.terms.say(("move", index), *self._schema(s))

    def _schema(self, s: Schema) -> list[int]:
        names = _bound({}, s.me)
        found: list[int] = []
        for p in s.params:
            if not isinstance(p.local.type, ElemT):
                self.fix_type(p.over.type)
            found.append(self.expr(p.over, names))
            names = _bound(names, p.local)
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
            case DecideTogether():  # effects are done in the players' order, and open choices keep their seats
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
                falls = self.expr(t.over, {}), self.expr(t.weight, _bound({}, t.local))
                return term(("chance", t.target), self.variables[t.result.index], *falls)
            case End():
                players = self.points(self.program.players)
                payoff = [term("payoff", p, self.expr(e, {})) for p, e in zip(players, t.payoff, strict=True)]
                scores = [term("score", p, self.expr(e, {})) for p, e in zip(players, t.scores, strict=False)]
                ends = self.terms.mixed("payoffs", payoff), self.terms.mixed("scores", scores)
                return term(("end", t.unit), self.expr(t.winners, {}), *ends)
            case DecideDrawing():
                raise NoSymmetry(NOT_TURNED)

    def _fix_numbers(self, var: Var, source: Expr) -> None:
        """Where a set's elements become values that are no elements, they stay."""
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


def _bound(names: Names, *locals_: Local) -> Names:
    found = dict(names)
    for local in locals_:
        found[local.id] = 1 + max((n for n in found.values() if isinstance(n, int)), default=-1)
    return found


def _meant(names: Names) -> dict[int, Expr]:
    """The names that stand for other expressions."""
    return {i: meant for i, meant in names.items() if not isinstance(meant, int)}


def _looked_up(e: Expr) -> bool:
    return isinstance(e, Lookup) and all(isinstance(k, Load) for k in e.keys)


def _chain(e: Expr, op: str) -> list[Expr]:
    """The members of ``a | b | c``."""
    if isinstance(e, Op2) and e.op == op:
        return [*_chain(e.left, op), *_chain(e.right, op)]
    return [e]


def _asked(condition: Expr) -> tuple[Expr, ElemT, int] | None:
    """``x = red``: what is asked, its type, and the element's number; None for another condition."""
    if isinstance(condition, Op2) and condition.op == "eq":
        for subject, constant in ((condition.left, condition.right), (condition.right, condition.left)):
            t = constant.type
            if isinstance(constant, Const) and isinstance(t, ElemT) and t.domain.size <= MOST_CASES:
                return subject, t, constant.value
    return None


def _both_ways(table: TableData) -> bool:
    """Does every step of a table have its way back?"""
    values = table.values
    return all(values[j] >> i & 1 for i, v in enumerate(values) for j in elements(v))
