"""Every shipped ruleset with every value of every option, each varied alone (of a range: low, high, and two between)."""

from __future__ import annotations

from gamedsl.language.core.nodes import Const
from gamedsl.language.rules import load_lowered
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.syntax import ast

Options = dict[str, str | int | bool]


def between(low: int, high: int) -> list[int]:
    """The ends of a range and two numbers between, without repetition."""
    third = (high - low) // 3
    return sorted({low, low + third, high - third, high})


def _number(env: Env, e: ast.Expr) -> int:
    from gamedsl.language.rules.expressions.lowering import lower_number

    value = lower_number(env, Ctx("option"), e)
    assert isinstance(value, Const)
    return value.value


def _values(env: Env, t: ast.Type) -> list[str | int | bool]:
    match t:
        case ast.NamedType("bool"):
            return [True, False]
        case ast.NamedType("player"):
            return list(env.players.names)
        case ast.EnumType(names):
            return [n.id for n in names]
        case ast.RangeType(low, high):
            return list(between(_number(env, low), _number(env, high)))
    raise AssertionError(f"an option of an unknown type: {t}")


def variants_of(name: str) -> list[Options]:
    """The options to load a ruleset with: none, then each value of each option."""
    env = load_lowered(name).builder.envs[0]
    found: list[Options] = [{}]
    for d in env.decls:
        if isinstance(d, ast.PlayersRange):
            found += [{"players": n} for n in range(d.low, d.high + 1)]
        if isinstance(d, ast.OptionDecl):
            found += [{d.name.id: value} for value in _values(env, d.type)]
    return found
