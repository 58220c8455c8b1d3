"""Encodes Core expressions as terms (``terms``) whose points are domain elements and variables.

Expressions that read no state are tabulated; operands of commutative operators are unordered. Anything that could
distinguish elements by their order fixes their whole domain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from itertools import product
from typing import TypeAlias

from gamedsl.compiler import is_pure
from gamedsl.lab.symmetry.failing import Facts, Failing, chained, facts_of, known_after, negated, without
from gamedsl.lab.symmetry.tabulated_expressions import Plain, Values, codes, joined
from gamedsl.lab.symmetry.terms import NoSymmetry, Terms
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import children, is_symmetric, substitute
from gamedsl.language.core import nodes as n

Names: TypeAlias = dict[int, int | n.Expr]
ANY_ORDER = {"and", "or", "union", "meet", "add", "mul", "min", "max"}
BOTH_WAYS = {"eq", "ne", "disjoint"}
BY_ORDER = {"lt", "le", "sub", "div", "mod", "add", "mul", "min", "max"}
MOST_CASES = 64
NOT_TURNED = "symmetries do not support noted positions and drawings"


class Expressions(ABC):
    """Encodes expressions of a program.

    ``elements``: the points of every domain met; ``variables``: one point for each variable.
    """

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.terms = Terms()
        self.elements: dict[Domain, list[int]] = {}
        self.variables: list[int] = []
        self.plain = Plain(program)
        self._tables: dict[int, int] = {}
        self._functions: dict[int, int] = {}
        self._values = Values()
        self.failing = Failing(program, self._values)
        self.given: Facts = ()  # facts known at the expression being encoded

    @abstractmethod
    def statements(self, stmts: Sequence[n.CoreStmt], names: Names, resting: frozenset[int] = frozenset()) -> int:
        """Returns the term of a statement list."""

    @abstractmethod
    def schema(self, index: int | None) -> None:
        """Encodes a kind of move, once."""

    # ------------------------------------------------------------------------------------------------ values

    def points(self, domain: Domain) -> list[int]:
        """Returns the points of a domain."""
        if domain not in self.elements:
            kind = "element", len(self.elements)
            self.elements[domain] = [self.terms.point(kind) for _ in range(domain.size)]
        return self.elements[domain]

    def fix(self, *domains: Domain) -> None:
        """Fixes the elements of these domains."""
        for domain in domains:
            for i, point in enumerate(self.points(domain)):
                self.terms.say(("stays", i), point)

    def fix_type(self, *types: n.VarT) -> None:
        """Fixes the elements of the domains of these types, if they have one."""
        for t in types:
            t = t.inner if isinstance(t, n.OptT | n.StackT) else t
            if isinstance(t, n.ElemT | n.SetT):
                self.fix(t.domain)

    def number(self, domain: Domain) -> int:
        self.points(domain)
        return list(self.elements).index(domain)

    def named_type(self, t: n.VarT) -> str:
        match t:
            case n.ElemT(domain):
                return f"element {self.number(domain)}"
            case n.SetT(domain):
                return f"set {self.number(domain)}"
            case n.OptT(inner):
                return f"optional {self.named_type(inner)}"
            case n.StackT(inner, limit):
                return f"stack {self.named_type(inner)} {limit}"
            case _:
                return str(t)

    def value(self, t: n.VarT, code: int) -> int:
        """Encodes a constant."""
        match t:
            case n.ElemT(domain):
                return self.points(domain)[code]
            case n.SetT(domain):
                points = self.points(domain)
                return self.terms.mixed(("set", self.number(domain)), (points[i] for i in elements(code)))
            case n.OptT(n.ElemT() as inner):
                return self.terms.term("wrap", self.value(inner, code - 1)) if code else self.terms.term("none")
            case n.OptT():
                return self.terms.term(("optional", code))
            case _:
                return self.terms.term(("number", code))

    def table(self, table: n.TableData) -> int:
        """Encodes a table by its entries; undefined ones are omitted."""
        key = id(table.values)
        if key not in self._tables:
            kind = tuple(f"element {self.number(k)}" for k in table.keys), self.named_type(table.type)
            self._tables[key] = self.rows(kind, [self.points(k) for k in table.keys], table.type, table.values)
        return self._tables[key]

    def rows(self, kind: object, keys: list[list[int]], t: n.ValueT, values: Sequence[int]) -> int:
        rows = [
            self.terms.term("row", *at, self.value(t, value))
            for at, value in zip(product(*keys), values, strict=True)
            if value or isinstance(t, n.ElemT)
        ]
        return self.terms.mixed(("table", kind), rows)

    # ------------------------------------------------------------------------------------------- expressions

    def expr(self, e: n.Expr, names: Names) -> int:
        """Returns the term of an expression.

        ``names``: for each local, how many were bound before it, or the expression that it abbreviates.
        """
        return self.part(self.plain(substitute(e, meant(names))), names)

    def exprs(self, es: Iterable[n.Expr], names: Names) -> list[int]:
        return [self.expr(e, names) for e in es]

    def part(self, e: n.Expr, names: Names) -> int:
        """Returns the term of an expression in which no name abbreviates another expression."""
        if not isinstance(e, n.Const | n.Load) and not _looked_up(e) and (worked_out := self._values(e)) is not None:
            return self.known(e, *worked_out, names)
        term = self.terms.term
        match e:
            case n.Const(value, t):
                return self.value(t, value)
            case n.Load(local):
                return term(("local", names.get(local.id, -1)))
            case n.Get(var, keys):
                return term("get", self.variables[var.index], *self.parts(keys, names))
            case n.Lookup(table, keys):
                return term("lookup", self.table(table), *self.parts(keys, names))
            case n.Op1():
                return self.op1(e, names)
            case n.Op2():
                return self.op2(e, names)
            case n.Fail():
                return term(("fail", e.span))
            case n.Convert(operand, t):
                if isinstance(operand.type, n.ElemT) or isinstance(t, n.ElemT):
                    self.fix_type(operand.type, t)
                return term(("convert", self.named_type(t), e.span), self.part(operand, names))
            case n.Cond():
                return self.cond(e, names)
            case n.LetE(local, value, body):
                if is_pure(value):
                    return self.part(substitute(body, {local.id: value}), names)
                return term("let", self.part(value, names), self.part(body, bound(names, local)))
            case n.Loop():
                return self.loop(e, names)
            case n.CallF(function, args):
                return term("call", self.function(function), *self.parts(args, names))
            case n.StackOp(op, var):
                place = None if op == "height" else e.span
                return term((op, place), self.variables[var.index], *self.parts(children(e), names))
            case n.AfterE(schema, args, tick, body, passed):
                self.schema(schema)
                around = self.statements(tick, names), self.part(body, names), self.statements(passed, names)
                return term(("after", schema), *self.parts(args, names), *around)
            case n.Flood(start, within, table):
                return term("flood", self.part(start, names), self.part(within, names), self.table(table))
            case n.Closure():
                return self.closure(e, names)
            case n.SomeMove():
                branches = [self.branch(b, names) for b in e.branches]
                tried = self.part(e.mover, names), self.statements(e.tick, names)
                return term(("some move", e.kind, e.legal), *tried, *branches)
            case _:
                smaller = e.expansion()
                if smaller is None:
                    raise NoSymmetry(NOT_TURNED)
                return self.part(smaller, names)

    def known(self, e: n.Expr, used: list[n.Local], values: tuple[int, ...], names: Names) -> int:
        """Returns the term of an expression that is tabulated over the names that it uses."""
        keys = [[self.value(x.type, code) for code in codes(x)] for x in used]
        kind = tuple(self.named_type(x.type) for x in used), self.named_type(e.type)
        table = self.rows(kind, keys, e.type, values)
        return (
            self.terms.term("lookup", table, *(self.part(n.Load(x), names) for x in used))
            if used
            else self.value(e.type, values[0])
        )

    def parts(self, es: Iterable[n.Expr], names: Names) -> list[int]:
        return [self.part(e, names) for e in es]

    def branch(self, b: n.MoveBranch, names: Names) -> int:
        self.schema(b.schema)
        return self.terms.term(("tried", b.schema), self.part(b.body, bound(names, b.me, *b.params)))

    def function(self, index: int) -> int:
        if index not in self._functions:
            f = self.program.functions[index]
            before, self.given = self.given, ()
            body = self.expr(f.body, bound({}, *f.params))
            self.given = before
            self._functions[index] = self.terms.term(("function", len(f.params)), body)
        return self._functions[index]

    def op1(self, e: n.Op1, names: Names) -> int:
        if e.op == "first" or (e.op == "single" and not isinstance(e.operand.type, n.ElemT)):
            self.fix_type(e.operand.type, e.type)
        place = e.span if e.op in ("unwrap", "first") else None
        tag = e.op if place is None else (e.op, place)
        return self.terms.term(tag, self.part(e.operand, names))

    def op2(self, e: n.Op2, names: Names) -> int:
        if e.op in BY_ORDER and (isinstance(e.left.type, n.ElemT) or isinstance(e.right.type, n.ElemT)):
            self.fix_type(e.left.type, e.right.type)
        if e.op == "in" and not isinstance(e.left.type, n.ElemT):
            self.fix_type(e.right.type)
        if e.op == "minus":
            return self.minus(e, names)
        if e.op == "disjoint" and (flood_misses := self.flood_misses(e, names)) is not None:
            return flood_misses
        if e.op in BOTH_WAYS:
            return self.terms.mixed(e.op, self.parts((e.left, e.right), names))
        if e.op in ANY_ORDER:
            return self.chain(e, names)
        place = e.span if e.op in ("div", "mod") else None
        return self.terms.term((e.op, place), *self.parts((e.left, e.right), names))

    def chain(self, e: n.Op2, names: Names) -> int:
        """Encodes ``a and b and c``: operands that read no state as one operand, and in any order if none can fail."""
        members = chained(e, e.op)
        plain = [x for x in members if is_pure(x)]
        facts = [known_after(e.op, members[:i]) if e.op in ("and", "or") else () for i in range(len(members))]
        fails = [self.failing(m, (*self.given, *known)) for m, known in zip(members, facts, strict=True)]
        ordered = e.op in ("and", "or")
        if ordered and any(bad for m, bad in zip(members, fails, strict=True) if not is_pure(m)):
            return self.terms.term((e.op, "in order"), *self.parts(members, names))
        if len(plain) > 1 and self._values(joined(plain, e)) is not None:
            rest = [(x, known) for x, known in zip(members, facts, strict=True) if not is_pure(x)]
            asked = [(joined(plain, e), ()), *rest]
        elif ordered and any(fails):
            return self.terms.term((e.op, "in order"), *self.parts(members, names))
        else:
            asked = list(zip(members, facts, strict=True))
        return self.terms.mixed(e.op, [self.part_given(x, known, names) for x, known in asked])

    def part_given(self, e: n.Expr, known: Facts, names: Names) -> int:
        """Returns the term of an expression that is evaluated only if further facts hold."""
        before = self.given
        self.given = (*before, *known)
        try:
            return self.part(e, names)
        finally:
            self.given = before

    def minus(self, e: n.Op2, names: Names) -> int:
        """Encodes ``a - b - c`` as ``a - (b | c)``."""
        base: n.Expr = e
        less: list[n.Expr] = []
        while isinstance(base, n.Op2) and base.op == "minus":
            less += chained(base.right, "union")
            base = base.left
        return self.terms.term("minus", self.part(base, names), self.terms.mixed("union", self.parts(less, names)))

    def flood_misses(self, e: n.Op2, names: Names) -> int | None:
        """Encodes that one set's flood does not reach another; None if not every step is reversible."""
        for spread, goal in ((e.left, e.right), (e.right, e.left)):
            if isinstance(spread, n.Flood) and is_symmetric(spread.table.values):
                ends = self.terms.mixed("ends", self.parts((spread.start, goal), names))
                return self.terms.term("apart", ends, self.part(spread.within, names), self.table(spread.table))
        return None

    def loop(self, e: n.Loop, names: Names) -> int:
        inner, before = bound(names, e.local), self.given
        parts = self.failing.inside(e, before)
        in_order = e.kind in ("some", "every") and any(self.failing(x, known) for x, known in parts)
        if in_order or not isinstance(e.local.type, n.ElemT):
            self.fix_type(e.over.type)
        place = e.span if e.kind in ("max", "min") else None
        over = self.part(e.over, names)
        self.given = ()
        terms = [self.part_given(x, known, inner) for x, known in parts]
        self.given = before
        filtered = terms[0] if e.condition is not None else self.terms.term("all")
        return self.terms.term((e.kind, place), over, filtered, terms[-1])

    def closure(self, e: n.Closure, names: Names) -> int:
        known = without(self.given, e.local)
        if self.failing(e.step, known) or not isinstance(e.local.type, n.ElemT):
            self.fix_type(e.type)
        start, before, self.given = self.part(e.start, names), self.given, ()
        step = self.part_given(e.step, known, bound(names, e.local))
        self.given = before
        return self.terms.term("closure", start, step)

    def cond(self, e: n.Cond, names: Names) -> int:
        """Encodes a conditional. Tests for an element become an unordered set of cases."""
        asked = asked_element(e.condition)
        if asked is None:
            then = self.part_given(e.then, facts_of(e.condition), names)
            otherwise = self.part_given(e.otherwise, facts_of(negated(e.condition)), names)
            return self.terms.term("if", self.part(e.condition, names), then, otherwise)
        return self.cases(asked[0], asked[1].domain, self._cases_of(e, names), names)

    def cases(self, subject: n.Expr, domain: Domain, cases: dict[int, int], names: Names) -> int:
        points = self.points(domain)
        whole = (self.terms.term("case", points[i], case) for i, case in cases.items())
        return self.terms.term("cases", self.part(subject, names), self.terms.mixed("of", whole))

    def _cases_of(self, e: n.Cond, names: Names) -> dict[int, int]:
        """Returns the term of the value for each element that the condition tests for."""
        asked = asked_element(e.condition)
        assert asked is not None
        subject, t, code = asked
        again = asked_element(e.otherwise.condition) if isinstance(e.otherwise, n.Cond) else None
        if isinstance(e.otherwise, n.Cond) and again is not None and again[0] == subject:
            cases = self._cases_of(e.otherwise, names)
        elif t.domain.size > 1:
            cases = dict.fromkeys(range(t.domain.size), self.part(e.otherwise, names))
        else:
            cases = {}
        return cases | {code: self.part(e.then, names)}


def bound(names: Names, *locals_: n.Local) -> Names:
    found = dict(names)
    for local in locals_:
        found[local.id] = 1 + max((number for number in found.values() if isinstance(number, int)), default=-1)
    return found


def meant(names: Names) -> dict[int, n.Expr]:
    """Returns the names that abbreviate other expressions."""
    return {i: meant for i, meant in names.items() if not isinstance(meant, int)}


def _looked_up(e: n.Expr) -> bool:
    return isinstance(e, n.Lookup) and all(isinstance(k, n.Load) for k in e.keys)


def asked_element(condition: n.Expr) -> tuple[n.Expr, n.ElemT, int] | None:
    """Matches ``x = red``: returns the subject, its type, and the element's number; None for other conditions."""
    if isinstance(condition, n.Op2) and condition.op == "eq":
        for subject, constant in ((condition.left, condition.right), (condition.right, condition.left)):
            t = constant.type
            if isinstance(constant, n.Const) and isinstance(t, n.ElemT) and t.domain.size <= MOST_CASES:
                return subject, t, constant.value
    return None
