"""The passing of time: countdowns and the counter of turns."""

from __future__ import annotations

from gamedsl.language.core import nodes as n
from gamedsl.language.rules import conversions
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.scope import Env


def tick(env: Env) -> tuple[n.CoreStmt, ...]:
    """Returns the statements for the passing of time in a ply: every countdown of the ruleset decreases by one, down
    to 0.
    """
    if env.ticks is None:
        env.ticks = tuple(_tick_of(env, v) for v in env.countdowns)
    return env.ticks


def _tick_of(env: Env, var: n.Var) -> n.CoreStmt:
    assert isinstance(var.type, n.IntT)
    locals_ = [env.program.local("k", n.ElemT(k)) for k in var.keys]
    keys: tuple[n.Expr, ...] = tuple(n.Load(loc) for loc in locals_)
    now = n.Get(var, keys, var.type)
    less = n.Op2("sub", now, n.Const(1, n.IntT(1, 1)), n.IntT(-1, var.type.high - 1))
    down = n.Cond(
        n.Op2("lt", n.Const(0, n.IntT(0, 0)), now, ty.BOOL),
        conversions.clip(less, var.type),
        n.Const(0, var.type),
        var.type,
        span=var.span,
    )
    stmt: n.CoreStmt = n.Assign(var, keys, down, span=var.span)
    for local, key in zip(reversed(locals_), reversed(var.keys), strict=True):
        stmt = n.ForS(local, n.Const(key.full, n.SetT(key)), (stmt,), span=var.span)
    return stmt


def passed(env: Env) -> tuple[n.CoreStmt, ...]:
    """Returns the statements that count turns. Above the highest number with which it is compared, the counter stops,
    or cycles with the least common multiple of all n in ``turn mod n``.
    """
    if env.turn is None:
        return ()
    assert isinstance(env.turn.type, n.IntT)
    t = env.turn.type
    now = n.Get(env.turn, (), t)
    more = n.Op2("add", now, n.Const(1, n.IntT(1, 1)), n.IntT(t.low + 1, t.high + 1))
    top = n.Const(t.high, n.IntT(t.high, t.high))
    if env.turn_cycle == 1:
        return (n.Assign(env.turn, (), n.Op2("min", more, top, t)),)
    first = t.high - env.turn_cycle + 1
    again = n.Const(first, n.IntT(first, first))
    return (n.Assign(env.turn, (), n.Cond(n.Op2("eq", now, top, ty.BOOL), again, conversions.clip(more, t), t)),)
