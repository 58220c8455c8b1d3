"""Questions about a state in the words of its ruleset: expressions, and variables by name. Answers are Python
values."""

from __future__ import annotations

from typing import Any

from gamedsl.engine.errors import play_error
from gamedsl.engine.play.actions import mover_of
from gamedsl.engine.positions.names import find_variable, slot_names
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.positions.refused import Broken
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.engine.values import Value
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, UsageError


def player_to_move(state: State) -> int | None:
    """The player for whom ``me`` stands in expressions about a state; None if nobody or several are to move."""
    return None if isinstance(state.terminator, n.DecideTogether) else mover_of(state, None)


def answer(state: State, text: str, player: int | None) -> Any:
    """The value of an expression; see ``State.ask``."""
    if not isinstance(text, str):
        raise UsageError(f"an expression is a string, not {type(text).__name__}", code="E0001")
    rules = state.game.rules
    me = player_to_move(state) if player is None else player
    try:
        expr = rules.expression(text, state.part, me)
    except GameDSLError:
        if state.part == 0:
            raise
        expr = rules.expression(text, 0, me)
    found = value_text(expr.type, evaluate_at(state, expr))
    return frozenset(found) if isinstance(found, list) else found


def value_named(state: State, name: str) -> Any:
    """The value of a variable; see ``State.value``."""
    try:
        var = find_variable(state.game, name, state.part)
    except Broken as error:
        near = tuple(name for d in error.diagnostics for name in d.near)
        raise play_error("E0506", f"there is no variable or piece called {name!r}", near=near) from None
    values = codes_of(state, var)
    found = {key: _plain(var, value) for key, value in zip(slot_names(var.keys), values, strict=True)}
    return found if var.keys else found[""]


def _plain(var: n.Var, value: Value) -> Any:
    match var.type:
        case n.StackT(inner):
            return tuple(value_text(inner, x) for x in value)
        case n.HistoryT() | n.DrawingT():
            return value
        case t:
            found = value_text(t, value)
            return frozenset(found) if isinstance(found, list) else found
