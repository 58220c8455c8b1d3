"""Inheritance of names: what a part takes over from the ruleset around it."""

from __future__ import annotations

from collections.abc import Set

from gamedsl.language.boards import Domain
from gamedsl.language.core import nodes as n
from gamedsl.language.rules.scope import Env
from gamedsl.language.rules.symbols import DomainSym, GameSym, Symbol, TableSym, TypeSym, ValueSym
from gamedsl.language.syntax import ast


def inherit_names(env: Env, game: GameSym, outer: Env) -> None:
    """Gives a part the options, types and tables of the surrounding ruleset. Its own players and board hide
    those of the surrounding one.
    """
    own_board = any(isinstance(d, ast.Board) for d in env.decls)
    board = [s.domain for one, s in outer.symbols.items() if one[:1] == "$" and isinstance(s, DomainSym)]
    hidden = {outer.players, *(board if own_board else ())}
    for name, symbol in outer.symbols.items():
        if symbol.span.source.path == game.span.source.path and _means_the_same_inside(symbol, hidden):
            env.symbols[name] = symbol
    for name, known in outer.elements.items():
        left = [(d, i) for d, i in known if d not in hidden]
        if left:
            env.elements[name] = left


def _means_the_same_inside(symbol: Symbol, hidden: Set[Domain]) -> bool:
    match symbol:
        case ValueSym() | TypeSym():
            return True
        case DomainSym(domain):
            return domain not in hidden
        case TableSym(data=n.TableData(keys=keys, type=t)):
            value = t.inner if isinstance(t, n.OptT) else t
            return hidden.isdisjoint((*keys, *((value.domain,) if isinstance(value, n.ElemT | n.SetT) else ())))
        case _:
            return False
