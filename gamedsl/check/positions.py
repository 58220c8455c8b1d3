"""Making the position of an example: moves by notation, random plies, variables given other values."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from gamedsl.boards.domains import Domain
from gamedsl.check.values import Misfit, encoded, shown
from gamedsl.core.nodes import DrawingT, HistoryT, StackT, Var
from gamedsl.engine.game import Game
from gamedsl.engine.moves import Move
from gamedsl.engine.state import State
from gamedsl.rules import Lowered

MOST_PLIES = 100_000


class Broken(Exception):
    """The position of an example cannot be made; the message says why."""


def read_move(state: State, text: str) -> Move:
    """The move a text stands for now, made by the first who is to act. GameDSLError when it is none."""
    player = state.to_act[0] if state.kind == "together" and state.to_act else None
    return state.game.parse_move(text, state, player)


def played(state: State, moves: tuple[str, ...]) -> State:
    """The state after the moves. Broken when one is not legal, or the play is over."""
    for number, text in enumerate(moves, 1):
        if state.is_terminal:
            raise Broken(f"move {number}, {text}: the play is over")
        move = read_move(state, text)
        reasons = state.why_not(move)
        if reasons:
            raise Broken(f"move {number}, {text}, is not legal: {'; '.join(r.message for r in reasons)}")
        state = state.apply(move)
    return state


def played_at_random(state: State, seed: int, plies: int | None) -> State:
    """The state after some plies at random (None: at the end of the play)."""
    rng = Random(seed)
    for _ in range(MOST_PLIES if plies is None else plies):
        if state.is_terminal:
            return state
        state = state.apply(state.propose(rng))
    if plies is None and not state.is_terminal:
        raise Broken(f"the play is not over after {MOST_PLIES} plies")
    return state


def changed(state: State, rules: Lowered, values: Mapping[str, Any]) -> State:
    """The same place in the play with other values of some variables. Broken when a name or a value does not fit."""
    if not values:
        return state
    changes: dict[tuple[str, int], list[Any]] = {}
    for name, plain in values.items():
        var = find_variable(state.game, name, state.part)
        above = state.game.variable(f"{var.name} above", var.part)
        try:
            for v, slots in _new_slots(state, rules, var, above, plain):
                changes[v.name, v.part] = slots
        except Misfit as problem:
            raise Broken(f"{name}: {problem}") from None
    return state.with_values(changes)


def find_variable(game: Game, name: str, part: int) -> Var:
    """The variable of this name (of a token's field, also the last word of it): in this part, else in those around it."""
    parts = [part, *sorted({v.part for v in game.program.variables} - {part})]
    for p in parts:
        own = [v for v in game.program.variables if v.part == p and v.role != "temp"]
        found = [v for v in own if v.name == name] or [v for v in own if v.name.split(".")[-1] == name]
        if found:
            return found[0]
    raise Broken(f"there is no variable or piece called {name}")


def _new_slots(
    state: State, rules: Lowered, var: Var, above: Var | None, plain: Any
) -> Iterator[tuple[Var, list[Any]]]:
    """The variable, and what counts its stacks, with their new values."""
    if isinstance(var.type, DrawingT | HistoryT | StackT):
        raise Misfit("such a variable can't be set")
    slots = list(state.value(var))
    heights = list(state.value(above)) if above is not None else []
    for index, value in _by_slot(var, plain):
        standing = _computed(state, rules, var, value)
        slots[index] = encoded(var.type, standing)
        if above is not None:
            cells = above.keys[-1]
            for i, name in enumerate(cells.names):
                heights[index * cells.size + i] = max(0, standing.count(name) - 1)
    yield var, slots
    if above is not None:
        yield above, heights


def _by_slot(var: Var, plain: Any) -> Iterator[tuple[int, Any]]:
    if not var.keys:
        yield 0, plain
        return
    if not isinstance(plain, dict):
        raise Misfit(f"it needs a value for each {var.keys[0].name}")
    names = _slot_names(var.keys)
    for key, value in plain.items():
        if key not in names:
            raise Misfit(f"{key} is none of {', '.join(names[:20])}")
        yield names.index(key), value


def _slot_names(keys: tuple[Domain, ...]) -> list[str]:
    names = [""]
    for domain in keys:
        names = [f"{a}, {b}" if a else b for a in names for b in domain.names]
    return names


def _computed(state: State, rules: Lowered, var: Var, plain: Any) -> Any:
    """The plain value; a text that begins with ``=`` is an expression."""
    if not (isinstance(plain, str) and plain.startswith("=")):
        return plain
    expr = rules.expression(plain[1:].strip(), var.part)
    return shown(expr.type, state.evaluate(expr))
