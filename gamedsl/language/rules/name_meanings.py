"""Descriptions of declared names, in the words of the language."""

from __future__ import annotations

from functools import cache

from gamedsl.language.core import nodes as n
from gamedsl.language.rules.board_words import board_words
from gamedsl.language.rules.error_report import Bail
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.expressions.name_lookup import LANGUAGE_WORDS
from gamedsl.language.rules.expressions.type_expressions import value_type
from gamedsl.language.rules.scope import Env
from gamedsl.language.rules.symbols import (
    WORDS,
    DefineSym,
    DomainSym,
    MoveSym,
    PieceSym,
    Symbol,
    TableSym,
    ValueSym,
    VarSym,
)
from gamedsl.language.rules.types import describe
from gamedsl.language.syntax import ast

_MOST_VALUES = 24  # of a range that are listed


def name_meaning(env: Env, name: str) -> str:
    """Describes a name of a ruleset, with its type and value; returns an empty string if the ruleset has no such name."""
    symbol = env.symbols.get(name)
    if symbol is not None:
        value = dict(env.options).get(name)
        parts = [WORDS[type(symbol)], _detail(symbol), f"here {value}" if value else ""]
        return ", ".join(part for part in parts if part)
    if name in env.players.names:
        return "a player"
    if name in env.carried:
        return f"carried by pieces, {describe(env.carried[name].type)}"
    domains = env.elements.get(name)
    return f"an element of {' and of '.join(d.name for d, _ in domains[:3])}" if domains else ""


def _detail(symbol: Symbol) -> str:
    match symbol:
        case VarSym(var):
            keys = "".join(f"{domain.name} → " for domain in var.keys)
            return f"{keys}{_type(var.type)}"
        case ValueSym(expr):
            return _type(expr.type)
        case PieceSym(owned=owned, each=each):
            return " ".join(p for p in ("of player" if owned else "", f"({each} each)" if each else "") if p)
        case DomainSym(domain):
            return f"{domain.size} elements"
        case DefineSym(function=function, constant=constant):
            known = constant.type if constant is not None else function.body.type if function is not None else None
            return "" if known is None else _type(known)
        case TableSym(data=data) if data is not None:
            return f"{' → '.join(k.name for k in data.keys)} → {_type(data.type)}"
        case MoveSym(params=params):
            return ", ".join(f"{p.name}: {_type(p.type)}" for p in params)
    return ""


def _type(t: n.VarT) -> str:
    if isinstance(t, n.StackT):
        return f"a stack of up to {t.limit}"
    if isinstance(t, n.DrawingT | n.HistoryT):
        return "a drawing" if isinstance(t, n.DrawingT) else "positions"
    return describe(t)


def option_values(env: Env, name: str) -> list[tuple[str, str]]:
    """Returns the values that an option can have, as they are written in examples, each with a note on the one in force; of a long
    range only that one and its ends.
    """
    now = dict(env.options).get(name, "")
    if name == "players":
        found = next(((d.low, d.high) for d in env.decls if isinstance(d, ast.PlayersRange)), None)
        words = [] if found is None else [str(count) for count in range(found[0], found[1] + 1)]
        return [(word, "in force" if word == now else "") for word in words]
    decl = next((d for d in env.decls if isinstance(d, ast.OptionDecl) and d.name.id == name), None)
    if decl is None:
        return []
    try:
        kind = value_type(env, decl.type)
    except Bail:
        return []
    match kind:
        case n.BoolT():
            words, now = ["true", "false"], {"yes": "true", "no": "false"}.get(now, now)
        case n.ElemT(domain):
            words = list(domain.names)
        case n.IntT(low, high) if high - low < _MOST_VALUES:
            words = [str(number) for number in range(low, high + 1)]
        case n.IntT(low, high):
            words = list(dict.fromkeys((now, str(low), str(high))))
        case _:
            words = []
    return [(word, "in force" if word == now else "") for word in words]


def signature(name: str) -> tuple[str, str] | None:
    """Returns the signature and description of a builtin function; None if there is no such function."""
    found = BUILTINS.get(name)
    return None if found is None else (found.signature, found.text)


def builtin_names() -> tuple[str, ...]:
    """Returns the names of all builtin functions."""
    return tuple(BUILTINS)


@cache
def builtin_words() -> frozenset[str]:
    """Returns all names that the language and its boards give, for highlighters."""
    return frozenset({*BUILTINS, *LANGUAGE_WORDS, *board_words()})
