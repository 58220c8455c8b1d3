"""Arithmetic, with the range of each result."""

from __future__ import annotations

from gamedsl.core.nodes import Const, Expr, IntT, Op2
from gamedsl.rules import types as ty
from gamedsl.rules.scope import Env
from gamedsl.source import Span


def arithmetic(env: Env, op: str, a: Expr, b: Expr, span: Span) -> Expr:
    assert isinstance(a.type, IntT) and isinstance(b.type, IntT)
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
            if isinstance(b, Const):
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
    return Op2(op, a, b, IntT(low, high), span=span)  # type: ignore[arg-type]
