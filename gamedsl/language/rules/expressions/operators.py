"""Unary and binary operators, ``is none`` and conditional expressions."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from gamedsl.language.boards import Family
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions import quantifiers
from gamedsl.language.rules.expressions.arithmetic import arithmetic
from gamedsl.language.rules.expressions.lowering import (
    as_operand,
    constant,
    convert,
    lower,
    lower_bool,
    lower_number,
    lower_open,
    say_result,
)
from gamedsl.language.rules.expressions.operands import lower_pair, unify
from gamedsl.language.rules.expressions.primitives import turn_offset
from gamedsl.language.rules.expressions.set_operators import lower_membership, lower_set_operation, lower_set_relation
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.source import Span
from gamedsl.language.syntax import ast, node_text


def lower_unary(env: Env, ctx: Ctx, e: ast.Unary) -> n.Expr:
    if e.op == "not":
        return n.Op1("not", lower_bool(env, ctx, e.operand), ty.BOOL, span=e.span)
    value = lower_open(env, ctx, e.operand)
    if conversions.is_never(value):
        return value
    value = as_operand(env, value, e.operand)
    assert isinstance(value.type, n.IntT)
    return n.Op1("neg", value, n.IntT(-value.type.high, -value.type.low), span=e.span)


COMPARISONS = {"=": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "lt", ">=": "le"}
ARITHMETIC = {"+": "add", "*": "mul", "div": "div", "mod": "mod"}


def lower_binary(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    sides = (e.left, e.right)
    comparing = e.op in COMPARISONS and any(isinstance(x, ast.Ref) and x.name == "turn" for x in sides)
    if comparing != ctx.comparing:
        ctx = replace(ctx, comparing=comparing)
    match e.op:
        case "and" | "or":
            a, b = lower_bool(env, ctx, e.left), lower_bool(env, ctx, e.right)
            return n.Op2(e.op, a, b, ty.BOOL, span=e.span)
        case "=" | "!=":
            emptiness = quantifiers.emptiness_of_moves(e)
            return _equal(env, ctx, e) if emptiness is None else lower_bool(env, ctx, emptiness)
        case "<" | "<=" | ">" | ">=":
            return _ordered(env, ctx, e)
        case "in" | "not in":
            inside = lower_membership(env, ctx, e)
            return n.Op1("not", inside, ty.BOOL, span=e.span) if e.op == "not in" else inside
        case "within" | "disjoint" | "meets":
            return lower_set_relation(env, ctx, e)
        case "|" | "&":
            return lower_set_operation(env, ctx, e)
        case "-":
            left = lower_open(env, ctx, e.left)
            if conversions.is_never(left):
                return left
            if conversions.as_number(left) is not None:
                return _arithmetic(env, e, "sub", left, lower_open(env, ctx, e.right))
            return lower_set_operation(env, ctx, e)
        case "mod" if turn_offset(e.left) is not None:
            return _arithmetic(env, e, "mod", _shifted_turn(env, ctx, e.left), lower(env, ctx, e.right))
        case "+" | "*" | "div" | "mod":
            return _arithmetic(env, e, ARITHMETIC[e.op], lower_open(env, ctx, e.left), lower_open(env, ctx, e.right))
        case _:
            assert_never(e.op)


def _shifted_turn(env: Env, ctx: Ctx, e: ast.Expr) -> n.Expr:
    """Lowers the left side of ``turn mod 3`` or ``(turn + 1) mod 3``. The counter cycles through a multiple of 3, so
    the remainder is right for every turn.
    """
    counted = replace(ctx, comparing=True)
    if not isinstance(e, ast.Binary):
        return lower(env, counted, e)
    op = "add" if e.op == "+" else "sub"
    offset = constant(env, ctx, e.right, "the number added to `turn`")
    return _arithmetic(env, e, op, lower(env, counted, e.left), ty.number(offset, e.right.span))


def _equal(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    a, b = lower_pair(env, ctx, e.left, e.right)
    never = conversions.first_never(a, b)
    if never is not None:
        return replace(never, type=ty.BOOL)
    op = "eq" if e.op == "=" else "ne"
    pair = unify(env, a, b)
    if pair is None:
        env.report.fail("E0305", e.span, left=ty.describe(a.type), right=ty.describe(b.type))
    _warn_if_settled(env, e, a, b)
    return n.Op2(op, pair[0], pair[1], ty.BOOL, span=e.span)  # type: ignore[arg-type]


def _warn_if_settled(env: Env, e: ast.Binary, a: n.Expr, b: n.Expr) -> None:
    """Warns about a comparison of a variable with a number that is settled by its range: ``n = 9`` where n is 0 to 3."""
    for value, number, written in ((a, b, e.right), (b, a, e.left)):
        if not (isinstance(value, n.Get) and isinstance(number, n.Const) and isinstance(written, ast.Int)):
            continue
        t = value.type
        if not isinstance(t, n.IntT) or value.var.role != "state" or not isinstance(number.type, n.IntT):
            continue
        holds = {_compared(e.op, x, number.value, flipped=value is b) for x in (t.low, t.high)}
        if e.op in ("=", "!=") and t.low <= number.value <= t.high:
            continue
        if len(holds) == 1:
            always = "always" if holds == {True} else "never"
            env.report.add("W0923", e.span, name=value.var.name, low=t.low, high=t.high, always=always)


def _compared(op: str, x: int, y: int, flipped: bool) -> bool:
    x, y = (y, x) if flipped else (x, y)
    return {"=": x == y, "!=": x != y, "<": x < y, "<=": x <= y, ">": x > y, ">=": x >= y}[op]


def _ordered(env: Env, ctx: Ctx, e: ast.Binary) -> n.Expr:
    a, b = lower_number(env, ctx, e.left), lower_number(env, ctx, e.right)
    _warn_if_settled(env, e, a, b)
    if e.op in (">", ">="):
        a, b = b, a
    return n.Op2(COMPARISONS[e.op], a, b, ty.BOOL, span=e.span)  # type: ignore[arg-type]


def _arithmetic(env: Env, e: ast.Binary, op: str, left: n.Expr, right: n.Expr) -> n.Expr:
    never = conversions.first_never(left, right)
    if never is not None:
        return never
    return arithmetic(env, op, as_operand(env, left, e.left), as_operand(env, right, e.right), e.span)


def lower_is_none(env: Env, ctx: Ctx, operand: ast.Expr, negated: bool, span: Span) -> n.Expr:
    value = lower(env, ctx, operand)
    if not isinstance(value.type, n.OptT):
        env.report.fail("E0324", span, what=ty.describe(value.type))
    test: n.Expr = n.Op1("is_none", value, ty.BOOL, span=span)
    return n.Op1("not", test, ty.BOOL, span=span) if negated else test


def lower_if(env: Env, ctx: Ctx, e: ast.IfExpr, want: n.ValueT | None) -> n.Expr:
    condition = lower_bool(env, ctx, e.condition)
    then, other = (_branch(env, ctx, x, want) for x in (e.then, e.otherwise))
    if isinstance(condition, n.Const) and want is None and (then.type != other.type):
        chosen = then if condition.value else other
        families = [x for x in (then, other) if isinstance(x.type, n.SetT) and isinstance(x.type.domain, Family)]
        if families and (len(families) == 2 or ty.EMPTY_SET in (then.type, other.type)):
            return chosen if chosen.type != ty.EMPTY_SET else n.Const(0, families[0].type, span=e.span)
    joined = ty.join_types(then.type, other.type)
    never = conversions.first_never(then, other)
    if never is not None and joined in (ty.EMPTY_SET, ty.JUST_NONE):
        say_result(env, never.span)
    a = None if joined is None else convert(env, then, joined)
    b = None if joined is None else convert(env, other, joined)
    if joined is None or a is None or b is None:
        left, right = ty.describe(then.type), ty.describe(other.type)
        a_text, b_text = node_text(e.then), node_text(e.otherwise)
        env.report.fail("E0325", e.span, left=left, right=right, then=a_text, otherwise=b_text)
    return a if joined == ty.NEVER else n.Cond(condition, a, b, joined, span=e.span)


def _branch(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None) -> n.Expr:
    return lower_open(env, ctx, e) if want is None else lower(env, ctx, e, want)
