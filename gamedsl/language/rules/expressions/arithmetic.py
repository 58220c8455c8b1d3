"""Arithmetic and the ranges of its results."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.scope import Env
from gamedsl.language.source import Span


def arithmetic(env: Env, op: str, a: n.Expr, b: n.Expr, span: Span) -> n.Expr:
    assert isinstance(a.type, n.IntT) and isinstance(b.type, n.IntT)
    (al, ah), (bl, bh) = (a.type.low, a.type.high), (b.type.low, b.type.high)
    match op:
        case "add":
            low, high = al + bl, ah + bh
        case "sub":
            low, high = al - bh, ah - bl
        case "mul":
            corners = (al * bl, al * bh, ah * bl, ah * bh)
            low, high = min(corners), max(corners)
        case _:
            if isinstance(b, n.Const):
                bl = bh = b.value
            if bl <= 0 <= bh and bl == bh:
                env.report.fail("E0321", span)
            if bl <= 0:
                env.report.fail("E0322", span, low=bl, high=bh)
            if op == "div":
                low, high = min(al // bl, al // bh), max(ah // bl, ah // bh)
            else:
                low, high = 0, min(bh - 1, ah) if al >= 0 else bh - 1
    if max(abs(low), abs(high)) > ty.MOST_NUMBER:
        env.report.fail("E0323", span, most=ty.MOST_NUMBER)
    return n.Op2(op, a, b, n.IntT(low, high), span=span)  # type: ignore[arg-type]
