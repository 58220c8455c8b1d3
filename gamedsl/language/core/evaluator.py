"""Evaluates expressions that read no state, and defines how values are encoded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from gamedsl.language.boards import elements
from gamedsl.language.core import nodes as n
from gamedsl.language.core.nodes import limits
from gamedsl.language.source import NOWHERE, Span


class NotConstant(Exception):
    """An expression that reads the state, tries moves, calls a function, or uses a local that has no value here."""


class RangeProblem(Exception):
    """A failed evaluation: a value out of range, none where a value is needed, division by zero, and so on."""

    def __init__(self, message: str, span: Span = NOWHERE) -> None:
        super().__init__(message)
        self.message = message
        self.span = span


# ------------------------------------------------------------------------------------------------ encodings


def offset(t: object) -> int:
    """Returns the value represented by bit 0 of a set: the lowest integer, or 0 (the first element, no, none)."""
    return t.low if isinstance(t, n.IntT) else 0


def table_index(table: n.TableData, keys: Sequence[int]) -> int:
    """Returns the index in ``table.values`` of the value for these keys."""
    index = 0
    for domain, key in zip(table.keys, keys, strict=True):
        index = index * len(domain.names) + key
    return index


def flood(start: int, within: int, values: tuple[int, ...]) -> int:
    """Returns the set of everything reachable from ``start & within`` by ``values`` without leaving ``within``."""
    found = start & within
    edge = found
    while edge:
        edge = image(edge, values) & within & ~found
        found |= edge
    return found


def closure(start: int, step: Callable[[int], int]) -> int:
    """Returns the least set that contains ``start`` and, with every index, the set that ``step`` returns for it."""
    found = todo = start
    while todo:
        low = todo & -todo
        new = step(low.bit_length() - 1) & ~found
        found |= new
        todo = todo ^ low | new
    return found


def image(members: int, values: tuple[int, ...]) -> int:
    """Returns the union of the sets ``values[x]`` over the members x."""
    total = 0
    while members:
        low = members & -members
        total |= values[low.bit_length() - 1]
        members ^= low
    return total


def is_symmetric(values: tuple[int, ...]) -> bool:
    """Whether y is in ``values[x]`` wherever x is in ``values[y]``."""
    return all(values[y] >> x & 1 for x, near in enumerate(values) for y in elements(near))


# ------------------------------------------------------------------------------------------------- evaluation


def evaluate(expr: n.Expr, locals: Mapping[int, int]) -> int:
    """Returns the value of an expression that reads no state, with these values for its locals (by id).

    Raises ``NotConstant`` if it cannot be evaluated without a state, and ``RangeProblem`` if it has no value.
    """
    rule = _RULES.get(type(expr))
    if rule is not None:
        return rule(expr, locals)
    smaller = expr.expansion()
    if smaller is None:
        raise NotConstant
    return evaluate(smaller, locals)


def _load(e: n.Load, locals: Mapping[int, int]) -> int:
    if e.local.id not in locals:
        raise NotConstant
    return locals[e.local.id]


def _lookup(e: n.Lookup, locals: Mapping[int, int]) -> int:
    return e.table.values[table_index(e.table, [evaluate(k, locals) for k in e.keys])]


def _binary(e: n.Op2, locals: Mapping[int, int]) -> int:
    left = evaluate(e.left, locals)
    if e.op == "and":
        return 1 if left and evaluate(e.right, locals) else 0
    if e.op == "or":
        return 1 if left or evaluate(e.right, locals) else 0
    return _op2(e, left, evaluate(e.right, locals))


def _fail(e: n.Fail, locals: Mapping[int, int]) -> int:
    raise RangeProblem(e.message, e.span)


def _cond(e: n.Cond, locals: Mapping[int, int]) -> int:
    return evaluate(e.then if evaluate(e.condition, locals) else e.otherwise, locals)


def _closure(e: n.Closure, locals: Mapping[int, int]) -> int:
    low, one = offset(e.local.type), e.local.id
    return closure(evaluate(e.start, locals), lambda x: evaluate(e.step, {**locals, one: x + low}))


def convert(value: int, t: n.ValueT, span: Span) -> int:
    """Returns the same value. Raises ``RangeProblem`` if the type cannot represent it."""
    low, high = limits(t)
    if not low <= value <= high:
        raise RangeProblem(f"{value} is not in {low}..{high}", span)
    return value


def _op1(e: n.Op1, v: int) -> int:
    match e.op:
        case "not":
            return 1 - v
        case "neg":
            return -v
        case "wrap":
            assert isinstance(e.type, n.OptT)
            return v - offset(e.type.inner) + 1
        case "unwrap":
            if v == 0:
                raise RangeProblem("there is no value here", e.span)
            return v - 1 + offset(e.type)
        case "is_none" | "is_empty":
            return 1 if v == 0 else 0
        case "count":
            return v.bit_count()
        case "single":
            return 1 << (v - offset(e.operand.type))
        case "complement":
            assert isinstance(e.type, n.SetT)
            return e.type.domain.full & ~v
        case "first":
            if v == 0:
                raise RangeProblem("the set is empty", e.span)
            return (v & -v).bit_length() - 1 + offset(e.type)


def _op2(e: n.Op2, a: int, b: int) -> int:
    match e.op:
        case "eq":
            return 1 if a == b else 0
        case "ne":
            return 1 if a != b else 0
        case "lt":
            return 1 if a < b else 0
        case "le":
            return 1 if a <= b else 0
        case "in":
            return b >> (a - offset(e.left.type)) & 1
        case "within":
            return 1 if a & ~b == 0 else 0
        case "disjoint":
            return 1 if a & b == 0 else 0
        case "union":
            return a | b
        case "meet":
            return a & b
        case "minus" | "sub":
            return a & ~b if e.op == "minus" else a - b
        case "add":
            return a + b
        case "mul":
            return a * b
        case "div" | "mod":
            if b == 0:
                raise RangeProblem("division by zero", e.span)
            return a // b if e.op == "div" else a % b
        case "min":
            return min(a, b)
        case "max":
            return max(a, b)
        case _:
            raise AssertionError(e.op)


def _rounds(e: n.Loop, locals: Mapping[int, int]) -> Iterator[tuple[int, Mapping[int, int]]]:
    """Yields the indices of the members that satisfy the condition, each with the locals inside the loop (always the
    same object).
    """
    start, inner = offset(e.local.type), dict(locals)
    for i in elements(evaluate(e.over, locals)):
        inner[e.local.id] = i + start
        if e.condition is None or evaluate(e.condition, inner):
            yield i, inner


def _loop(e: n.Loop, locals: Mapping[int, int]) -> int:
    rounds = _rounds(e, locals)
    match e.kind:
        case "some":
            return 1 if any(evaluate(e.body, inner) for _, inner in rounds) else 0
        case "every":
            return 1 if all(evaluate(e.body, inner) for _, inner in rounds) else 0
        case "count" | "sum":
            return sum(evaluate(e.body, inner) for _, inner in rounds)
        case "union":
            total = 0
            for _, inner in rounds:
                total |= evaluate(e.body, inner)
            return total
        case "filter":
            total = 0
            for i, inner in rounds:
                total |= evaluate(e.body, inner) << i
            return total
        case "max" | "min":
            values = [evaluate(e.body, inner) for _, inner in rounds]
            if not values:
                raise RangeProblem(f"no value to take the {e.kind} of", e.span)
            return max(values) if e.kind == "max" else min(values)


_RULES: dict[type[n.Expr], Callable[[Any, Mapping[int, int]], int]] = {
    n.Const: lambda e, _: int(e.value),
    n.Load: _load,
    n.Lookup: _lookup,
    n.Op1: lambda e, locals: _op1(e, evaluate(e.operand, locals)),
    n.Op2: _binary,
    n.Fail: _fail,
    n.Convert: lambda e, locals: convert(evaluate(e.operand, locals), e.type, e.span),
    n.Cond: _cond,
    n.LetE: lambda e, locals: evaluate(e.body, {**locals, e.local.id: evaluate(e.value, locals)}),
    n.Loop: _loop,
    n.Flood: lambda e, locals: flood(evaluate(e.start, locals), evaluate(e.within, locals), e.table.values),
    n.Closure: _closure,
}
