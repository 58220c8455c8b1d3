"""Encodes Core expressions and effects as z3 formulas over arbitrary positions, reachable or not.

A truth value is a z3 Bool; a number a z3 Int; an element a list of Bools of which exactly one is true; an optional
the same with none first; a set a list of Bools, one per member. Python's True and False are constants, which keeps
formulas small. If the rules would fail (say, on a missing value) a formula is unconstrained: that only adds
behaviors, so "never" remains sound.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from itertools import product
from typing import Any, TypeAlias

import z3

from gamedsl.lab.smt.smt_values import (
    Members,
    Unsupported,
    Value,
    and_,
    anything,
    choose,
    equal,
    has_count,
    known_count,
    not_,
    number,
    or_,
    same,
)
from gamedsl.language.boards import Domain
from gamedsl.language.core import flood, kind_text, limits, offset
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

State: TypeAlias = dict[tuple[int, int], Value]  # by variable and slot
Env: TypeAlias = dict[int, Value]
MOST_TERMS = 400_000
LARGE = 16


@lazy_dataclass()
class Formulas:
    """Builds formulas for one program."""

    program: n.Program
    terms: int = 0
    most: int = MOST_TERMS
    path: Value = True  # the path condition of the current statement
    premises: list[Value] | None = None  # if collected: the conditions under which the rules do not fail
    _tables: dict[int, Any] = field(default_factory=dict)
    _sets: dict[tuple[str, int, int], tuple[Value, Value, Value]] = field(default_factory=dict)

    def position(self, given: list[Value]) -> State:
        """Returns an arbitrary position."""
        found: State = {}
        for var in self.program.variables:
            for slot in range(var.slots):
                try:
                    found[var.index, slot] = anything(var.type, f"{var.name}#{var.index} {slot}", given)
                except Unsupported:
                    continue
        return found

    def spend(self, terms: int) -> None:
        self.terms += terms
        if self.terms > self.most:
            raise Unsupported("the formula is too large")

    # ------------------------------------------------------------------------------------------- expressions

    def expr(self, e: n.Expr, s: State, env: Env) -> Value:
        self.spend(1)
        match e:
            case n.Const(value, t):
                return number(t, value)
            case n.Load(local):
                return env[local.id]
            case n.Get(var, keys):
                return self.select(var, [self.expr(k, s, env) for k in keys], s)
            case n.Lookup(table, keys):
                return self.lookup(table, [self.expr(k, s, env) for k in keys])
            case n.Op1():
                return self.op1(e, self.expr(e.operand, s, env))
            case n.Op2():
                left = self.expr(e.left, s, env)
                if (e.op == "and" and left is False) or (e.op == "or" and left is True):
                    return left
                return self.op2(e, left, self.expr(e.right, s, env))
            case n.Fail(type=t):
                return number(t, limits(t)[0])
            case n.Convert(operand, t):
                return self.convert(operand.type, t, self.expr(operand, s, env))
            case n.Cond(condition, then, otherwise):
                asked = self.expr(condition, s, env)
                if isinstance(asked, bool):
                    return self.expr(then if asked else otherwise, s, env)
                return self.chosen(asked, self.expr(then, s, env), self.expr(otherwise, s, env))
            case n.LetE(local, value, body):
                return self.expr(body, s, {**env, local.id: self.expr(value, s, env)})
            case n.Loop():
                return self.loop(e, s, env)
            case n.CallF(function, args):
                f = self.program.functions[function]
                given = {p.id: self.expr(a, s, env) for p, a in zip(f.params, args, strict=True)}
                return self.expr(f.body, s, given)
            case n.AfterE():
                return self.after(e, s, env)
            case n.Flood():
                return self.flood(e, s, env)
            case n.Closure():
                return self.closure(e, s, env)
            case _:
                smaller = e.expansion()
                if smaller is None:
                    raise Unsupported(f"an expression of the kind `{kind_text(e)}`")
                return self.expr(smaller, s, env)

    def after(self, e: n.AfterE, s: State, env: Env) -> Value:
        args = [self.expr(a, s, env) for a in e.args]
        there, kept = dict(s), self.premises
        self.premises = None
        self.run(e.tick, there, dict(env))
        if e.schema is not None:
            self.effect(e.schema, args, there)
        self.run(e.passed, there, dict(env))
        self.premises = kept
        return self.expr(e.body, there, env)

    def flood(self, e: n.Flood, s: State, env: Env) -> Value:
        """Encodes a flood over constants; otherwise the extent depends on the position, which is not supported."""
        if isinstance(e.start, n.Const) and isinstance(e.within, n.Const):
            return number(e.type, flood(e.start.value, e.within.value, e.table.values))
        raise Unsupported("connected sets")

    def closure(self, e: n.Closure, s: State, env: Env) -> Value:
        """Raises ``Unsupported``, because the extent depends on the position."""
        raise Unsupported("reachability")

    def select(self, var: n.Var, keys: list[Value], s: State) -> Value:
        """Returns the value of the slot with these keys."""
        if (var.index, 0) not in s:
            raise Unsupported("stacks, histories and drawings")
        return self.among([s[var.index, i] for i in range(var.slots)], var.keys, keys)

    def among(self, values: list[Value], domains: tuple[Domain, ...], keys: list[Value]) -> Value:
        """Selects one of these values by keys; the last key varies fastest."""
        if not domains:
            return values[0]
        stride = len(values) // max(1, domains[0].size)
        found: Value = None
        for i in reversed(range(domains[0].size)):
            if keys[0][i] is False:
                continue
            part = self.among(values[i * stride : (i + 1) * stride], domains[1:], keys[1:])
            self.spend(len(part) if isinstance(part, list) else 1)
            found = part if found is None else choose(keys[0][i], part, found)
        if found is None:
            raise Unsupported("an element that may be `none`")
        return found

    def lookup(self, table: n.TableData, keys: list[Value]) -> Value:
        if id(table.values) not in self._tables:
            self._tables[id(table.values)] = [number(table.type, v) for v in table.values]
        return self.among(self._tables[id(table.values)], table.keys, keys)

    def op1(self, e: n.Op1, x: Value) -> Value:
        match e.op:
            case "not":
                return not_(x)
            case "neg":
                return -x
            case "wrap":
                return self.wrap(e.type, x)
            case "unwrap":
                return self.unwrap(e.type, x)
            case "is_none":
                return x[0]
            case "count":
                return x.size if isinstance(x, Members) else self.total([choose(b, 1, 0) for b in x])
            case "single":
                return self.elements(e.operand.type, x)
            case "complement":
                found = [not_(b) for b in x]
                return Members(found, lambda: len(x) - x.size) if isinstance(x, Members) else found
            case "is_empty":
                return not_(or_(x))
            case "first":
                chosen = [and_([b, *(not_(c) for c in x[:i])]) for i, b in enumerate(x)]
                return chosen if isinstance(e.type, n.ElemT) else self.worth(chosen, offset(e.type))

    def elements(self, t: object, x: Value) -> list[Value]:
        """Converts a number to a one-hot list over its type; elements already are such lists."""
        if isinstance(t, n.ElemT):
            return list(x)
        low, high = limits(t)
        if isinstance(t, n.BoolT):
            return [not_(x), x]
        return [same(x, count) if isinstance(x, int) else x == count for count in range(low, high + 1)]

    def worth(self, chosen: list[Value], low: int) -> Value:
        """Returns the number that a one-hot list encodes."""
        return self.total([choose(b, low + i, 0) for i, b in enumerate(chosen)])

    def wrap(self, to: object, x: Value) -> Value:
        assert isinstance(to, n.OptT)
        return [False, *self.elements(to.inner, x)]

    def unwrap(self, t: object, x: Value) -> Value:
        if isinstance(t, n.ElemT):
            return x[1:]
        return x[2] if isinstance(t, n.BoolT) else self.worth(x[1:], offset(t))

    def total(self, parts: list[Value]) -> Value:
        fixed = sum(p for p in parts if isinstance(p, int))
        free = [p for p in parts if not isinstance(p, int)]
        return fixed if not free else z3.Sum([*free, z3.IntVal(fixed)])

    def op2(self, e: n.Op2, a: Value, b: Value) -> Value:
        """Caches operations on large sets."""
        if not isinstance(b, list) or len(b) < LARGE or e.op == "in":
            return self.joined(e, a, b)
        key = e.op, id(a), id(b)
        if key not in self._sets:
            self._sets[key] = a, b, self.joined(e, a, b)
        return self._sets[key][2]

    def chosen(self, asked: Value, a: Value, b: Value) -> Value:
        """Like ``choose``, but cached for large sets."""
        if not isinstance(a, list) or len(a) < LARGE:
            return choose(asked, a, b)
        key = f"if {asked.get_id()}", id(a), id(b)
        if key not in self._sets:
            self._sets[key] = (asked, a), b, choose(asked, a, b)
        return self._sets[key][2]

    def joined(self, e: n.Op2, a: Value, b: Value) -> Value:
        match e.op:
            case "and":
                return and_([a, b])
            case "or":
                return or_([a, b])
            case "eq":
                return equal(e.left.type, a, b)
            case "ne":
                return not_(equal(e.left.type, a, b))
            case "in":
                return or_([and_([x, y]) for x, y in zip(self.elements(e.left.type, a), b, strict=False)])
            case "within":
                return and_([or_([not_(x), y]) for x, y in zip(a, b, strict=True)])
            case "disjoint":
                return and_([not_(and_([x, y])) for x, y in zip(a, b, strict=True)])
            case "union":
                return self.counted(a, b, [or_([x, y]) for x, y in zip(a, b, strict=True)], 1)
            case "meet":
                return [and_([x, y]) for x, y in zip(a, b, strict=True)]
            case "minus":
                return self.counted(a, b, [and_([x, not_(y)]) for x, y in zip(a, b, strict=True)], 0)
            case _:
                return self.arithmetic(e, self.plain(e.left.type, a), self.plain(e.right.type, b))

    def counted(self, a: Value, b: Value, found: list[Value], added: int) -> list[Value]:
        """Returns a union (or difference) with its size, if the sizes of both sides are known."""
        if not (isinstance(a, Members) or isinstance(b, Members)) or not (has_count(a) and has_count(b)):
            return found

        def size() -> Value:
            both = [choose(and_([x, y]), -1, 0) for x, y in zip(a, b, strict=True)]
            return self.total([known_count(a), *([known_count(b)] if added else []), *both])

        return Members(found, size)

    def plain(self, t: object, x: Value) -> Value:
        """Converts an element to its number."""
        return self.worth(x, 0) if isinstance(t, n.ElemT) else x

    def arithmetic(self, e: n.Op2, a: Value, b: Value) -> Value:
        known: dict[str, Callable[[Any, Any], Any]] = {
            "lt": lambda x, y: x < y, "le": lambda x, y: x <= y, "add": lambda x, y: x + y, "sub": lambda x, y: x - y,
            "mul": lambda x, y: x * y,
        }  # fmt: skip
        if e.op in known:
            return known[e.op](a, b)
        if e.op in ("min", "max"):
            less = a <= b
            return choose(less, a, b) if e.op == "min" else choose(less, b, a)
        if isinstance(a, int) and isinstance(b, int):
            return 0 if b == 0 else a // b if e.op == "div" else a % b
        a, b = (z3.IntVal(x) if isinstance(x, int) else x for x in (a, b))
        return a / b if e.op == "div" else a % b

    def convert(self, t: object, to: object, x: Value) -> Value:
        if isinstance(t, n.ElemT) and isinstance(to, n.BoolT):
            return x[1]
        if isinstance(t, n.BoolT) and isinstance(to, n.ElemT):
            return [not_(x), x]
        if isinstance(t, n.ElemT) and isinstance(to, n.ElemT | n.OptT):
            return x
        if isinstance(t, n.ElemT):
            return self.worth(x, 0)
        if isinstance(to, n.ElemT):
            return [same(x, i) if isinstance(x, int) else x == i for i in range(to.domain.size)]
        if isinstance(t, n.BoolT) and not isinstance(to, n.BoolT):
            return choose(x, 1, 0)
        return x

    def loop(self, e: n.Loop, s: State, env: Env) -> Value:
        over = self.expr(e.over, s, env)
        rounds: list[tuple[Value, Value]] = []  # whether it counts, and the body
        for i, member in enumerate(over):
            if member is False:
                rounds.append((False, None))
                continue
            inner = {**env, e.local.id: self.member(e.local, i)}
            kept = member if e.condition is None else and_([member, self.expr(e.condition, s, inner)])
            rounds.append((kept, None if kept is False else self.expr(e.body, s, inner)))
        return self.gathered(e, rounds)

    def member(self, local: n.Local, i: int) -> Value:
        return number(local.type, i + offset(local.type))

    def gathered(self, e: n.Loop, rounds: list[tuple[Value, Value]]) -> Value:
        live = [(kept, body) for kept, body in rounds if kept is not False]
        match e.kind:
            case "some":
                return or_([and_([kept, body]) for kept, body in live])
            case "every":
                return and_([or_([not_(kept), body]) for kept, body in live])
            case "count":
                return self.total([choose(and_([kept, body]), 1, 0) for kept, body in live])
            case "sum":
                return self.total([choose(kept, body, 0) for kept, body in live])
            case "filter":
                return [False if kept is False else and_([kept, body]) for kept, body in rounds]
            case "union":
                assert isinstance(e.type, n.SetT)
                sets = [[and_([kept, b]) for b in body] for kept, body in live]
                return [or_([one[i] for one in sets]) for i in range(e.type.domain.size)]
            case _:
                return self.extreme(e.kind, live)

    def extreme(self, kind: str, live: list[tuple[Value, Value]]) -> Value:
        if not live:
            return 0
        best: Value = live[0][1]
        known: Value = live[0][0]
        for kept, body in live[1:]:
            better = body > best if kind == "max" else body < best
            best = choose(and_([kept, or_([not_(known), better])]), body, best)
            known = or_([known, kept])
        return best

    # -------------------------------------------------------------------------------------------- statements

    def effect(self, schema: int, args: list[Value], s: State) -> None:
        """Applies a move's effect to a position."""
        kind = self.program.schemas[schema]
        if kind.has_chance:
            raise Unsupported("moves with chance")
        env = {kind.me.id: args[0]} | {p.local.id: a for p, a in zip(kind.params, args[1:], strict=True)}
        self.run(kind.effect, s, env)

    def run(self, stmts: tuple[n.CoreStmt, ...], s: State, env: Env) -> Value:
        """Executes statements on the position; let-bound names are visible in the rest of the list.

        Returns the condition under which execution stops before the end.
        """
        for at, stmt in enumerate(stmts):
            self.spend(1)
            stopped = self.statement(stmt, s, env)
            if stopped is not False:
                later = self.either(not_(stopped), stmts[at + 1 :], (), s, env)
                return or_([stopped, later])
        return False

    def statement(self, stmt: n.CoreStmt, s: State, env: Env) -> Value:
        """Executes one statement. Returns the condition under which it leaves the effect."""
        match stmt:
            case n.Assign(var, keys, value):
                self.assign(var, [self.expr(k, s, env) for k in keys], self.expr(value, s, env), s)
            case n.Reset(var):
                for slot, code in enumerate(var.initial):
                    s[var.index, slot] = number(var.type, code)
            case n.LetS(local, value):
                env[local.id] = self.expr(value, s, env)
            case n.IfS(condition, then, otherwise):
                return self.either(self.expr(condition, s, env), then, otherwise, s, env)
            case n.ForS(local, over, body):
                return self.rounds(local, self.expr(over, s, env), body, s, env)
            case n.StopS():
                return True
            case n.Check(condition):
                if self.premises is not None:
                    self.demand(self.expr(condition, s, env))
            case n.Effect(schema, args):
                self.effect(schema, [self.expr(a, s, env) for a in args], s)
            case _:
                raise Unsupported(f"a statement of the kind `{kind_text(stmt)}`")
        return False

    def rounds(self, local: n.Local, over: Value, body: tuple[n.CoreStmt, ...], s: State, env: Env) -> Value:
        stopped: Value = False
        for i, member in enumerate(over):
            inner = {**env, local.id: self.member(local, i)}
            left = self.either(and_([member, not_(stopped)]), body, (), s, inner)
            stopped = or_([stopped, left])
        return stopped

    def demand(self, holds: Value) -> None:
        """Records a condition under which the rules do not fail here."""
        if self.premises is not None and holds is not True:
            self.premises.append(or_([not_(self.path), holds]))

    def either(
        self, condition: Value, then: tuple[n.CoreStmt, ...], otherwise: tuple[n.CoreStmt, ...], s: State, env: Env
    ) -> Value:
        """Executes either branch. Returns the condition under which execution leaves the effect."""
        if isinstance(condition, bool):
            return self.run(then if condition else otherwise, s, dict(env))
        a, b, path = dict(s), dict(s), self.path
        self.path = and_([path, condition])
        stopped = and_([condition, self.run(then, a, dict(env))])
        self.path = and_([path, not_(condition)])
        left = and_([not_(condition), self.run(otherwise, b, dict(env))])
        self.path = path
        for key in s:
            s[key] = choose(condition, a[key], b[key])
        return or_([stopped, left])

    def assign(self, var: n.Var, keys: list[Value], value: Value, s: State) -> None:
        if isinstance(var.type, n.IntT):
            self.demand(and_([value >= var.type.low, value <= var.type.high]))
        for slot, at in enumerate(product(*(range(k.size) for k in var.keys))):
            here = and_([key[i] for key, i in zip(keys, at, strict=True)])
            if here is not False:
                s[var.index, slot] = choose(here, value, s[var.index, slot])
