"""Lowers an expression of any kind: one case per node."""

from __future__ import annotations

from typing import assert_never

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions import calls, folds, operators, quantifiers, set_displays, stacks
from gamedsl.language.rules.expressions.fields import lower_field, lower_index
from gamedsl.language.rules.expressions.geometry import reach
from gamedsl.language.rules.expressions.lowering import Value, constant
from gamedsl.language.rules.expressions.name_lookup import value_of_name
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast


def lower_node(env: Env, ctx: Ctx, e: ast.Expr, want: n.ValueT | None) -> Value:
    """Returns the value of an expression of any kind. ``want``: the expected type, which can decide what a name means."""
    match e:
        case ast.Int(value):
            return ty.number(value, e.span)
        case ast.Bool(value):
            return n.Const(int(value), ty.BOOL, span=e.span)
        case ast.NoneValue():
            return n.Const(0, ty.JUST_NONE, span=e.span)
        case ast.Ref(name):
            return value_of_name(env, ctx, name, e.span, want)
        case ast.Call():
            return calls.lower_call(env, ctx, e, want)
        case ast.Index():
            return lower_index(env, ctx, e)
        case ast.FieldOf():
            return lower_field(env, ctx, e)
        case ast.ItemAt():
            return stacks.lower_item(env, ctx, e)
        case ast.SetDisplay():
            return set_displays.lower_display(env, ctx, e, want)
        case ast.Leg():
            env.report.fail("E0383", e.span)
        case ast.TupleDisplay():
            return set_displays.lower_tuple(env, ctx, e, want)
        case ast.RangeSet(low, high):
            first, last = (
                constant(env, ctx, low, "the first number of a range"),
                constant(env, ctx, high, "the last number of a range"),
            )
            if last < first:
                env.report.fail("E0309", e.span, low=first, high=last)
            if last - first >= ty.MOST_RANGE:
                env.report.fail("E0343", e.span, most=ty.MOST_RANGE)
            domain = ty.range_domain(first, last)
            return n.Const(domain.full, n.SetT(domain), span=e.span)
        case ast.Unary():
            return operators.lower_unary(env, ctx, e)
        case ast.Binary():
            return operators.lower_binary(env, ctx, e)
        case ast.IsNone(operand, negated):
            return operators.lower_is_none(env, ctx, operand, negated, e.span)
        case ast.IfExpr():
            return operators.lower_if(env, ctx, e, want)
        case ast.Quantified():
            return quantifiers.lower_quantified(env, ctx, e)
        case ast.Filter():
            return quantifiers.lower_filter(env, ctx, e)
        case ast.Fold():
            return folds.lower_fold(env, ctx, e)
        case ast.Reach():
            return reach.lower_reach(env, ctx, e)
        case ast.FoldOr():
            return folds.lower_fold_or(env, ctx, e)
        case ast.After():
            return quantifiers.lower_after(env, ctx, e)
        case ast.MovesOf():
            env.report.fail("E0320", e.span, kind=e.kind)
        case _:
            assert_never(e)
