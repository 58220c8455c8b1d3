"""Expressions and effects of the Core as formulas for z3, over any position at all, whether it can be reached or not.

A yes or no is a z3 Bool, a number a z3 Int, an element a list of Bools of which one holds, an optional the same with the
first for none, a set a list of Bools, one a member. Python's own True and False stand for constants, so that formulas stay
small. Where the rules would go wrong (a missing value, say) a formula means something or other: it can only make more
possible, so "never" stays true.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeAlias

import z3

from gamedsl.boards.domains import Domain
from gamedsl.core.fold import flood, limits, offset
from gamedsl.core.nodes import (
    AfterE,
    Assign,
    BoolT,
    CallF,
    Check,
    Cond,
    Const,
    Convert,
    CoreStmt,
    Effect,
    ElemT,
    Expr,
    Flood,
    ForS,
    Get,
    IfS,
    IntT,
    LetE,
    LetS,
    Load,
    Local,
    Lookup,
    Loop,
    Op1,
    Op2,
    OptT,
    Program,
    Reset,
    SetT,
    TableData,
    Var,
    VarT,
)

Value: TypeAlias = Any  # bool | z3.BoolRef | int | z3.ArithRef | list of bools
State: TypeAlias = dict[tuple[int, int], Value]  # by variable and slot
Env: TypeAlias = dict[int, Value]
MOST_TERMS = 400_000


class Unsupported(Exception):
    """There is no formula for this, or it would be too large."""


def not_(a: Value) -> Value:
    return not a if isinstance(a, bool) else z3.Not(a)


def and_(parts: list[Value]) -> Value:
    left = [p for p in parts if p is not True]
    if any(p is False for p in left):
        return False
    return True if not left else left[0] if len(left) == 1 else z3.And(left)


def or_(parts: list[Value]) -> Value:
    left = [p for p in parts if p is not False]
    if any(p is True for p in left):
        return True
    return False if not left else left[0] if len(left) == 1 else z3.Or(left)


def same(a: Value, b: Value) -> Value:
    """Are two values of one type equal?"""
    if isinstance(a, list):
        return and_([same(x, y) for x, y in zip(a, b, strict=True)])
    if isinstance(a, bool) and isinstance(b, bool):
        return a == b
    if isinstance(a, bool) or isinstance(b, bool):
        fixed, other = (a, b) if isinstance(a, bool) else (b, a)
        return other if fixed else not_(other)
    return a == b


def choose(condition: Value, a: Value, b: Value) -> Value:
    """The one value or the other."""
    if isinstance(condition, bool):
        return a if condition else b
    if isinstance(a, list):
        return [choose(condition, x, y) for x, y in zip(a, b, strict=True)]
    if isinstance(a, bool) and isinstance(b, bool):
        return a if a == b else condition if a else not_(condition)
    if isinstance(a, bool) or isinstance(b, bool):
        return or_([and_([condition, a]), and_([not_(condition), b])])
    if isinstance(a, int) and isinstance(b, int) and a == b:
        return a
    return z3.If(condition, a, b)


def number(t: object, code: int) -> Value:
    """A constant."""
    match t:
        case BoolT():
            return bool(code)
        case SetT(domain):
            return [bool(code >> i & 1) for i in range(domain.size)]
        case ElemT(domain):
            return [i == code for i in range(domain.size)]
        case OptT(inner):
            low, high = limits(inner)
            return [i == code for i in range(high - low + 2)]
        case _:
            return code


def anything(t: VarT, name: str, given: list[Value]) -> Value:
    """Any value of a type; what makes it one is added to ``given``."""
    match t:
        case BoolT():
            return z3.Bool(name)
        case IntT(low, high):
            found = z3.Int(name)
            given.extend((found >= low, found <= high))
            return found
        case SetT(domain):
            return [z3.Bool(f"{name} {i}") for i in range(domain.size)]
        case ElemT() | OptT():
            low, high = limits(t)
            found = [z3.Bool(f"{name} {i}") for i in range(high - low + 1)]
            given.append(z3.PbEq([(b, 1) for b in found], 1))
            return found
        case _:
            raise Unsupported("stacks, histories and drawings")


@dataclass
class Formulas:
    """Formulas about one program."""

    program: Program
    terms: int = 0
    _tables: dict[int, Any] = field(default_factory=dict)

    def position(self, given: list[Value]) -> State:
        """Any position."""
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
        if self.terms > MOST_TERMS:
            raise Unsupported("the formula is too large")

    # ------------------------------------------------------------------------------------------- expressions

    def expr(self, e: Expr, s: State, env: Env) -> Value:
        self.spend(1)
        match e:
            case Const(value, t):
                return number(t, value)
            case Load(local):
                return env[local.id]
            case Get(var, keys):
                return self.select(var, [self.expr(k, s, env) for k in keys], s)
            case Lookup(table, keys):
                return self.lookup(table, [self.expr(k, s, env) for k in keys])
            case Op1():
                return self.op1(e, self.expr(e.operand, s, env))
            case Op2():
                return self.op2(e, self.expr(e.left, s, env), self.expr(e.right, s, env))
            case Convert(operand, t):
                return self.convert(operand.type, t, self.expr(operand, s, env))
            case Cond(condition, then, otherwise):
                return choose(self.expr(condition, s, env), self.expr(then, s, env), self.expr(otherwise, s, env))
            case LetE(local, value, body):
                return self.expr(body, s, {**env, local.id: self.expr(value, s, env)})
            case Loop():
                return self.loop(e, s, env)
            case CallF(function, args):
                f = self.program.functions[function]
                given = {p.id: self.expr(a, s, env) for p, a in zip(f.params, args, strict=True)}
                return self.expr(f.body, s, given)
            case AfterE():
                return self.after(e, s, env)
            case Flood():
                return self.flood(e, s, env)
            case _:
                raise Unsupported(f"{type(e).__name__}")

    def after(self, e: AfterE, s: State, env: Env) -> Value:
        args = [self.expr(a, s, env) for a in e.args]
        there = dict(s)
        self.run(e.tick, there, dict(env))
        if e.schema is not None:
            self.effect(e.schema, args, there)
        self.run(e.passed, there, dict(env))
        return self.expr(e.body, there, env)

    def flood(self, e: Flood, s: State, env: Env) -> Value:
        """Only for constants: how far it spreads depends on the position else."""
        if isinstance(e.start, Const) and isinstance(e.within, Const):
            return number(e.type, flood(e.start.value, e.within.value, e.table.values))
        raise Unsupported("what is connected")

    def select(self, var: Var, keys: list[Value], s: State) -> Value:
        """The value of the slot for these keys."""
        if (var.index, 0) not in s:
            raise Unsupported("stacks, histories and drawings")
        return self.among([s[var.index, i] for i in range(var.slots)], var.keys, keys)

    def among(self, values: list[Value], domains: tuple[Domain, ...], keys: list[Value]) -> Value:
        """The one of these values that the keys say, the last key fastest."""
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
            raise Unsupported("an element that is none")
        return found

    def lookup(self, table: TableData, keys: list[Value]) -> Value:
        if id(table.values) not in self._tables:
            self._tables[id(table.values)] = [number(table.type, v) for v in table.values]
        return self.among(self._tables[id(table.values)], table.keys, keys)

    def op1(self, e: Op1, x: Value) -> Value:
        match e.op:
            case "not":
                return not_(x)
            case "neg":
                return -x
            case "wrap":
                return self.wrap(e.operand.type, e.type, x)
            case "unwrap":
                return self.unwrap(e.type, x)
            case "is_none":
                return x[0]
            case "count":
                return self.total([choose(b, 1, 0) for b in x])
            case "single":
                return self.elements(e.operand.type, x)
            case "complement":
                return [not_(b) for b in x]
            case "is_empty":
                return not_(or_(x))
            case "first":
                chosen = [and_([b, *(not_(c) for c in x[:i])]) for i, b in enumerate(x)]
                return chosen if isinstance(e.type, ElemT) else self.worth(chosen, offset(e.type))

    def elements(self, t: object, x: Value) -> list[Value]:
        """A number as a choice among those of its type; an element is one already."""
        if isinstance(t, ElemT):
            return list(x)
        low, high = limits(t)
        if isinstance(t, BoolT):
            return [not_(x), x]
        return [same(x, n) if isinstance(x, int) else x == n for n in range(low, high + 1)]

    def worth(self, chosen: list[Value], low: int) -> Value:
        """The number that a choice stands for."""
        return self.total([choose(b, low + i, 0) for i, b in enumerate(chosen)])

    def wrap(self, t: object, to: object, x: Value) -> Value:
        return [False, *self.elements(t, x)]

    def unwrap(self, t: object, x: Value) -> Value:
        if isinstance(t, ElemT):
            return x[1:]
        return x[2] if isinstance(t, BoolT) else self.worth(x[1:], offset(t))

    def total(self, parts: list[Value]) -> Value:
        fixed = sum(p for p in parts if isinstance(p, int))
        free = [p for p in parts if not isinstance(p, int)]
        return fixed if not free else z3.Sum([*free, z3.IntVal(fixed)])

    def op2(self, e: Op2, a: Value, b: Value) -> Value:
        match e.op:
            case "and":
                return and_([a, b])
            case "or":
                return or_([a, b])
            case "eq":
                return same(a, b)
            case "ne":
                return not_(same(a, b))
            case "in":
                return or_([and_([x, y]) for x, y in zip(self.elements(e.left.type, a), b, strict=False)])
            case "within":
                return and_([or_([not_(x), y]) for x, y in zip(a, b, strict=True)])
            case "disjoint":
                return and_([not_(and_([x, y])) for x, y in zip(a, b, strict=True)])
            case "union":
                return [or_([x, y]) for x, y in zip(a, b, strict=True)]
            case "meet":
                return [and_([x, y]) for x, y in zip(a, b, strict=True)]
            case "minus":
                return [and_([x, not_(y)]) for x, y in zip(a, b, strict=True)]
            case _:
                return self.arithmetic(e, self.plain(e.left.type, a), self.plain(e.right.type, b))

    def plain(self, t: object, x: Value) -> Value:
        """An element as its number."""
        return self.worth(x, 0) if isinstance(t, ElemT) else x

    def arithmetic(self, e: Op2, a: Value, b: Value) -> Value:
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
        if isinstance(t, ElemT) and not isinstance(to, ElemT):
            return self.worth(x, 0)
        if isinstance(to, ElemT) and not isinstance(t, ElemT):
            return [same(x, i) if isinstance(x, int) else x == i for i in range(to.domain.size)]
        if isinstance(t, BoolT) and not isinstance(to, BoolT):
            return choose(x, 1, 0)
        return x

    def loop(self, e: Loop, s: State, env: Env) -> Value:
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

    def member(self, local: Local, i: int) -> Value:
        return number(local.type, i + offset(local.type))

    def gathered(self, e: Loop, rounds: list[tuple[Value, Value]]) -> Value:
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
                assert isinstance(e.type, SetT)
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
        """What a move does to a position."""
        kind = self.program.schemas[schema]
        if kind.has_chance:
            raise Unsupported("moves with chance")
        env = {kind.me.id: args[0]} | {p.local.id: a for p, a in zip(kind.params, args[1:], strict=True)}
        self.run(kind.effect, s, env)

    def run(self, stmts: tuple[CoreStmt, ...], s: State, env: Env) -> None:
        """Changes the position; names that are let stand for the rest of the list."""
        for stmt in stmts:
            self.spend(1)
            match stmt:
                case Assign(var, keys, value):
                    self.assign(var, [self.expr(k, s, env) for k in keys], self.expr(value, s, env), s)
                case Reset(var):
                    for slot, code in enumerate(var.initial):
                        s[var.index, slot] = number(var.type, code)
                case LetS(local, value):
                    env[local.id] = self.expr(value, s, env)
                case IfS(condition, then, otherwise):
                    self.either(self.expr(condition, s, env), then, otherwise, s, env)
                case ForS(local, over, body):
                    for i, member in enumerate(self.expr(over, s, env)):
                        self.either(member, body, (), s, {**env, local.id: self.member(local, i)})
                case Check():
                    continue
                case Effect(schema, args):
                    self.effect(schema, [self.expr(a, s, env) for a in args], s)
                case _:
                    raise Unsupported(type(stmt).__name__)

    def either(
        self, condition: Value, then: tuple[CoreStmt, ...], otherwise: tuple[CoreStmt, ...], s: State, env: Env
    ) -> None:
        if isinstance(condition, bool):
            return self.run(then if condition else otherwise, s, dict(env))
        a, b = dict(s), dict(s)
        self.run(then, a, dict(env))
        self.run(otherwise, b, dict(env))
        for key in s:
            s[key] = a[key] if a[key] is b[key] else choose(condition, a[key], b[key])
        return None

    def assign(self, var: Var, keys: list[Value], value: Value, s: State) -> None:
        for slot, at in enumerate(product(*(range(k.size) for k in var.keys))):
            here = and_([key[i] for key, i in zip(keys, at, strict=True)])
            if here is not False:
                s[var.index, slot] = choose(here, value, s[var.index, slot])
