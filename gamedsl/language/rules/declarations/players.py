"""Declarations of players, types and options."""

from __future__ import annotations

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import types as ty
from gamedsl.language.rules.expressions.lowering import lower
from gamedsl.language.rules.expressions.type_expressions import (
    BOARD_TYPES,
    enumeration,
    find_type,
    refuse_twins,
    value_type,
)
from gamedsl.language.rules.scope import Ctx, Env
from gamedsl.language.rules.symbols import DomainSym, TypeSym, ValueSym
from gamedsl.language.syntax import ast, walk

MOST_PLAYERS = 16


def declare_players(env: Env, d: ast.Decl) -> None:
    match d:
        case ast.PlayersNamed(names):
            refuse_twins(env, names)
            players = tuple(name.id for name in names)
        case ast.PlayersRange(low, high, default):
            if not 1 <= low <= high <= MOST_PLAYERS or not (default is None or low <= default <= high):
                env.report.fail("E0212", d.span, most=MOST_PLAYERS)
            t = n.IntT(low, high)
            first = default if default is not None else max(low, min(2, high))
            given = env.give(env, "players", t) if env.give is not None else None
            if given is not None and not isinstance(given, n.Const):
                env.report.fail("E0307", d.span, what="the number of players")
            count = given.value if isinstance(given, n.Const) else first
            env.options.append(("players", str(count)))
            players = tuple(f"p{i + 1}" for i in range(count))
        case _:
            raise AssertionError(d)
    if len(players) > MOST_PLAYERS:
        env.report.fail("E0212", d.span, most=MOST_PLAYERS)
    env.players = Domain("player", players)
    env.add_elements(env.players)


def declare_type(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.TypeDecl)
    match d.type:
        case ast.EnumType():
            env.declare(d.name, DomainSym(enumeration(env, d.type), d.name.span))
        case ast.NamedType(name) if name not in ("bool",):
            found = find_type(env, name, d.type.span)
            symbol = DomainSym(found, d.name.span) if isinstance(found, Domain) else TypeSym(found, d.name.span)
            env.declare(d.name, symbol)
        case _:
            value_type(env, d.type)
            env.declare(d.name, TypeSym(d.type, d.name.span))


def types_of_board(env: Env) -> list[ast.TypeDecl]:
    """Returns the types that mention a type of the board (such as ``cell``), which is not declared yet, or another
    such type.
    """
    found: list[ast.TypeDecl] = []
    declared = [d for d in env.decls if isinstance(d, ast.TypeDecl)]
    names = set(BOARD_TYPES) - env.symbols.keys() - {d.name.id for d in declared}
    for d in declared:
        if any(isinstance(t, ast.NamedType) and t.name in names for t in walk(d.type)):
            found.append(d)
            names.add(d.name.id)
    return found


def declare_option(env: Env, d: ast.Decl) -> None:
    assert isinstance(d, ast.OptionDecl)
    t = value_type(env, d.type)
    if not isinstance(t, n.ElemT | n.IntT) and t != ty.BOOL:
        env.report.fail("E0213", d.type.span, name=d.name.id)
    assert not isinstance(t, n.StackT)
    value = lower(env, Ctx("option"), d.default, t)
    if not isinstance(value, n.Const):
        env.report.fail("E0307", d.default.span, what="the default of an option")
    given = env.give(env, d.name.id, t) if env.give is not None else None
    value_in_force = given if given is not None else value
    if isinstance(value_in_force, n.Const) and isinstance(value_in_force.type, n.IntT):
        value_in_force = ty.number(value_in_force.value, d.name.span)  # the same type no matter how the value was given
    env.declare(d.name, ValueSym(value_in_force, d.name.span))
    if isinstance(value_in_force, n.Const):
        env.options.append((d.name.id, show_constant(value_in_force)))


def show_constant(value: n.Const) -> str:
    match value.type:
        case n.ElemT(domain):
            return domain.names[value.value]
        case t if t == ty.BOOL:
            return "yes" if value.value else "no"
    return str(value.value)
