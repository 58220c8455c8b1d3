"""The verifier for expressions: every node has the type that follows from its operands."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeAlias

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.core.constant_folding import limits

Scope: TypeAlias = dict[int, n.Local]


def same_domain(a: Domain, b: Domain) -> bool:
    """Returns whether two domains are the same: the same name, and the same elements in the same order."""
    return a is b or (a.name == b.name and a.names == b.names)


def same(a: n.ValueT, b: n.ValueT) -> bool:
    """Returns whether values of both types have the same meaning."""
    match a, b:
        case (n.ElemT(x), n.ElemT(y)) | (n.SetT(x), n.SetT(y)):
            return same_domain(x, y)
        case n.OptT(x), n.OptT(y):
            return same(x, y)
        case _:
            return a == b


def fits(have: n.ValueT, want: n.ValueT) -> bool:
    """Returns whether a value of one type can be used where the other is expected: the same type, or a narrower
    integer range.
    """
    if isinstance(have, n.IntT) and isinstance(want, n.IntT):
        return want.low <= have.low and have.high <= want.high
    return same(have, want)


def elements_match(t: n.ValueT, domain: Domain) -> bool:
    """Returns whether the type is that of the elements of sets over the domain."""
    if isinstance(t, n.ElemT):
        return same_domain(t.domain, domain)
    if isinstance(t, n.SetT):
        return False
    low, high = limits(t)
    return high - low + 1 == domain.size


class Checker(ABC):
    """Checks expressions, and collects violations with their places."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.found: list[str] = []
        self._where = "program"

    @abstractmethod
    def statements(self, stmts: tuple[n.CoreStmt, ...], scope: Scope) -> None:
        """Checks a list of statements inside an expression. A let is in scope for the rest of the list."""

    @contextmanager
    def inside(self, where: str) -> Iterator[None]:
        before, self._where = self._where, where
        try:
            yield
        finally:
            self._where = before

    def need(self, holds: bool, message: str) -> None:
        if not holds:
            self.found.append(f"{self._where}: {message}")

    def in_range(self, value: int, t: n.ValueT) -> None:
        low, high = limits(t)
        self.need(low <= value <= high, f"{value} is not a value of {t}")

    def check_known(self, var: n.Var) -> None:
        """Checks that the variable is the program's variable of this number."""
        variables = self.program.variables
        is_ours = 0 <= var.index < len(variables) and variables[var.index] == var
        self.need(is_ours, f"variable {var.name} is not the program's")

    def keys(self, domains: tuple[Domain, ...], keys: tuple[n.Expr, ...], scope: Scope, name: str) -> None:
        self.need(len(keys) == len(domains), f"{name} has {len(domains)} keys, not {len(keys)}")
        for domain, key in zip(domains, keys, strict=False):
            self.expr(key, scope)
            is_element = isinstance(key.type, n.ElemT) and same_domain(key.type.domain, domain)
            self.need(is_element, f"a key of {name} is {key.type}, not one of {domain.name}")

    def expect(self, e: n.Expr, want: n.ValueT, scope: Scope) -> None:
        """Checks that the expression has this type."""
        self.expr(e, scope)
        self.need(fits(e.type, want), f"{type(e).__name__} of {e.type} where {want} is wanted")

    def set_over(self, over: n.Expr, local: n.Local, scope: Scope) -> None:
        """Checks a set over which a local ranges."""
        self.expr(over, scope)
        ok = isinstance(over.type, n.SetT) and elements_match(local.type, over.type.domain)
        self.need(ok, f"{local.name} of {local.type} goes through {over.type}")

    def move(self, schema: int, args: tuple[n.Expr, ...], scope: Scope) -> None:
        """Checks a move to be made: its schema, ``me`` and the parameters."""
        if not 0 <= schema < len(self.program.schemas):
            self.need(False, f"there is no move {schema}")
            return
        s = self.program.schemas[schema]
        wanted = (s.me, *(p.local for p in s.params))
        self.need(not s.has_chance, f"{s.name} has chance in it")
        self.need(len(args) == len(wanted), f"{s.name} takes {len(wanted)} values, not {len(args)}")
        for arg, want in zip(args, wanted, strict=False):
            self.expect(arg, want.type, scope)

    # -------------------------------------------------------------------------------------------- expressions

    def expr(self, e: n.Expr, scope: Scope) -> None:
        match e:
            case n.Const():
                self.in_range(e.value, e.type)
            case n.Load(local=local):
                there = scope.get(local.id)
                self.need(there is not None and same(there.type, local.type), f"{local.name} is not known here")
            case n.Get():
                self.check_known(e.var)
                self.keys(e.var.keys, e.keys, scope, e.var.name)
                plain = not isinstance(e.var.type, n.StoredT)
                self.need(plain and fits(e.var.type, e.type), f"{e.var.name} read as {e.type}")  # type: ignore[arg-type]
            case n.Lookup():
                self._lookup(e, scope)
            case n.Op1():
                self.expr(e.operand, scope)
                self.need(_op1_ok(e), f"{e.op} of {e.operand.type} is not {e.type}")
            case n.Op2():
                self.expr(e.left, scope)
                self.expr(e.right, scope)
                self.need(_op2_ok(e), f"{e.op} of {e.left.type} and {e.right.type} is not {e.type}")
            case n.Fail():
                low, high = limits(e.type)
                self.need(low <= high and e.message != "", f"a failure as {e.type}")
            case n.Convert():
                self.expr(e.operand, scope)
                self.need(not isinstance(e.type, n.SetT), "sets are not converted")
            case n.Cond():
                self.expect(e.condition, n.BoolT(), scope)
                self.expect(e.then, e.type, scope)
                self.expect(e.otherwise, e.type, scope)
            case n.LetE():
                self.expect(e.value, e.local.type, scope)
                self.expr(e.body, {**scope, e.local.id: e.local})
            case n.Loop():
                self._loop(e, scope)
            case n.Flood():
                self._flood(e, scope)
            case n.Closure():
                self.expr(e.step, {**scope, e.local.id: e.local})
                self.set_over(e.start, e.local, scope)
                self.need(same(e.start.type, e.type) and same(e.step.type, e.type), f"closure in {e.type}")
            case _:
                self._other(e, scope)

    def _other(self, e: n.Expr, scope: Scope) -> None:
        match e:
            case n.CallF():
                self._call(e, scope)
            case n.StackOp():
                self.check_known(e.var)
                self.keys(e.var.keys, e.keys, scope, e.var.name)
                ok = isinstance(e.var.type, n.StackT) and (e.op == "height" or same(e.var.type.inner, e.type))
                self.need(ok, f"{e.op} of {e.var.name} is not {e.type}")
                self.need((e.op == "item") == (e.level is not None), f"{e.op} of {e.var.name} and a level")
                if e.level is not None:
                    self.expr(e.level, scope)
                    self.need(isinstance(e.level.type, n.IntT), f"a level of {e.var.name} is not a number")
            case n.Noted():
                self.need(isinstance(e.history.type, n.HistoryT), f"{e.history.name} is not a history")
                for p in e.position:
                    self.expr(p, scope)
            case n.Arranged():
                self.need(isinstance(e.var.type, n.DrawingT), f"{e.var.name} is not a drawing")
                for a in e.args:
                    self.expr(a, scope)
            case n.AfterE():
                self._after(e, scope)
            case n.SomeMove():
                self._some_move(e, scope)
            case _:
                smaller = e.expansion()
                assert smaller is not None, f"no check is given for {type(e).__name__}"
                self.expect(smaller, e.type, scope)

    def _lookup(self, e: n.Lookup, scope: Scope) -> None:
        self.keys(e.table.keys, e.keys, scope, e.table.name)
        size = 1
        for k in e.table.keys:
            size *= k.size
        self.need(len(e.table.values) == size, f"table {e.table.name} has {len(e.table.values)} values for {size}")
        low, high = limits(e.table.type)
        self.need(all(low <= v <= high for v in e.table.values), f"table {e.table.name} has values of another type")

    def _loop(self, e: n.Loop, scope: Scope) -> None:
        self.set_over(e.over, e.local, scope)
        inner = {**scope, e.local.id: e.local}
        if e.condition is not None:
            self.expect(e.condition, n.BoolT(), inner)
        self.expr(e.body, inner)
        body, size = e.body.type, e.over.type.domain.size if isinstance(e.over.type, n.SetT) else 0
        if isinstance(e.over, n.Const):
            size = e.over.value.bit_count()
        match e.kind:
            case "some" | "every":
                ok = isinstance(body, n.BoolT) and isinstance(e.type, n.BoolT)
            case "count":
                ok = isinstance(body, n.BoolT) and fits(n.IntT(0, size), e.type)
            case "sum":
                low, high = limits(body)
                ok = isinstance(body, n.IntT) and fits(n.IntT(min(0, low * size), max(0, high * size)), e.type)
            case "max" | "min":
                ok = isinstance(body, n.IntT) and fits(body, e.type)
            case "union":
                ok = isinstance(body, n.SetT) and same(body, e.type)
            case "filter":
                ok = isinstance(body, n.BoolT) and same(e.over.type, e.type)
        self.need(ok, f"{e.kind} over {body} is not {e.type}")

    def _flood(self, e: n.Flood, scope: Scope) -> None:
        for part in (e.start, e.within):
            self.expect(part, e.type, scope)
        ok = isinstance(e.type, n.SetT) and len(e.table.keys) == 1 and same_domain(e.table.keys[0], e.type.domain)
        self.need(ok and same(e.table.type, e.type), f"flood by {e.table.name} in {e.type}")

    def _call(self, e: n.CallF, scope: Scope) -> None:
        if not 0 <= e.function < len(self.program.functions):
            self.need(False, f"there is no function {e.function}")
            return
        f = self.program.functions[e.function]
        self.need(len(e.args) == len(f.params), f"{f.name} takes {len(f.params)} values, not {len(e.args)}")
        for arg, param in zip(e.args, f.params, strict=False):
            self.expect(arg, param.type, scope)
        self.need(fits(f.body.type, e.type), f"{f.name} gives {f.body.type}, not {e.type}")

    def _after(self, e: n.AfterE, scope: Scope) -> None:
        if e.schema is not None:
            self.move(e.schema, e.args, scope)
        self.statements(e.tick, {})
        self.statements(e.passed, {})
        self.expr(e.body, scope)

    def _some_move(self, e: n.SomeMove, scope: Scope) -> None:
        self.expr(e.mover, scope)
        self.need(isinstance(e.type, n.IntT if e.kind == "count" else n.BoolT), f"{e.kind} of moves is not a {e.type}")
        self.statements(e.tick, {})
        for b in e.branches:
            self.move(b.schema, tuple(n.Load(x) for x in (b.me, *b.params)), {x.id: x for x in (b.me, *b.params)})
            self.need(same(e.mover.type, b.me.type), "the mover is not a player of its moves")
            self.expect(b.body, n.BoolT(), {**scope, **{x.id: x for x in (b.me, *b.params)}})


def _op1_ok(e: n.Op1) -> bool:
    x, t = e.operand.type, e.type
    match e.op:
        case "not":
            return isinstance(x, n.BoolT) and isinstance(t, n.BoolT)
        case "neg":
            return isinstance(x, n.IntT) and fits(n.IntT(-x.high, -x.low), t)
        case "wrap":
            return isinstance(t, n.OptT) and fits(x, t.inner)
        case "unwrap":
            return isinstance(x, n.OptT) and same(x.inner, t)
        case "is_none":
            return isinstance(x, n.OptT) and isinstance(t, n.BoolT)
        case "is_empty":
            return isinstance(x, n.SetT) and isinstance(t, n.BoolT)
        case "count":
            return isinstance(x, n.SetT) and fits(n.IntT(0, x.domain.size), t)
        case "single":
            return isinstance(t, n.SetT) and elements_match(x, t.domain)
        case "complement":
            return isinstance(x, n.SetT) and same(x, t)
        case "first":
            return isinstance(x, n.SetT) and elements_match(t, x.domain)


def _op2_ok(e: n.Op2) -> bool:
    a, b, t = e.left.type, e.right.type, e.type
    match e.op:
        case "and" | "or":
            return isinstance(a, n.BoolT) and isinstance(b, n.BoolT) and isinstance(t, n.BoolT)
        case "eq" | "ne":
            return isinstance(t, n.BoolT) and (same(a, b) or (isinstance(a, n.IntT) and isinstance(b, n.IntT)))
        case "lt" | "le":
            return isinstance(t, n.BoolT) and isinstance(a, n.IntT) and isinstance(b, n.IntT)
        case "in":
            return isinstance(t, n.BoolT) and isinstance(b, n.SetT) and elements_match(a, b.domain)
        case "within" | "disjoint":
            return isinstance(t, n.BoolT) and isinstance(a, n.SetT) and same(a, b)
        case "union" | "meet" | "minus":
            return isinstance(a, n.SetT) and same(a, b) and same(a, t)
        case _:
            return isinstance(a, n.IntT) and isinstance(b, n.IntT) and isinstance(t, n.IntT) and _number_ok(e, a, b, t)


def _number_ok(e: n.Op2, a: n.IntT, b: n.IntT, t: n.IntT) -> bool:
    """Returns whether the type can represent every result."""
    match e.op:
        case "add":
            low, high = a.low + b.low, a.high + b.high
        case "sub":
            low, high = a.low - b.high, a.high - b.low
        case "mul":
            ends = [x * y for x in (a.low, a.high) for y in (b.low, b.high)]
            low, high = min(ends), max(ends)
        case "min":
            low, high = min(a.low, b.low), min(a.high, b.high)
        case "max":
            low, high = max(a.low, b.low), max(a.high, b.high)
        case "div":
            divisors = [y for y in (b.low, b.high, -1, 1) if b.low <= y <= b.high and y]
            ends = [x // y for x in (a.low, a.high) for y in divisors]
            low, high = (min(ends), max(ends)) if ends else (0, 0)
        case "mod":
            low, high = min(0, b.low + 1), max(0, b.high - 1)
            if a.low >= 0:
                high = min(high, a.high)
        case _:
            return False
    return t.low <= low and high <= t.high
