"""Builds the position of an example: moves by notation, random plies, assigned variables."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from gamedsl.engine import Broken, Move, Setting, State, evaluate_at, find_variable, player_to_move, value_text
from gamedsl.language.rules import Lowered
from gamedsl.language.source import GameDSLError
from gamedsl.language.syntax import Datum

__all__ = ["Broken", "changed", "played", "played_at_random", "random_plies", "read_move"]

MOST_PLIES = 100_000


def read_move(state: State, text: str) -> Move:
    """Returns the move that a string denotes now, for the first player to act.

    Raises ``GameDSLError`` if it does not denote a move.
    """
    return state.game.parse_move(text, state, _chooser(state))


def _chooser(state: State) -> int | None:
    return state.to_act[0] if state.kind == "together" and state.to_act else None


def played(state: State, moves: tuple[str, ...]) -> State:
    """Returns the state after the moves. Raises ``Broken`` if one is illegal, or the game is over."""
    for number, text in enumerate(moves, 1):
        if state.is_terminal:
            raise Broken(f"move {number}, {text}: the game is over")
        try:
            *_, (_, state) = state.game.play_text(text, state, _chooser(state))
        except GameDSLError as problem:
            raise _what_is_wrong(state, number, text, problem) from None
    return state


def _what_is_wrong(state: State, number: int, text: str, problem: GameDSLError) -> Exception:
    """Returns ``Broken`` if the string is not a legal move, or the problem itself if the rules fail when it is made."""
    try:
        reasons = state.why_not(read_move(state, text))
    except GameDSLError:
        (found, *_) = problem.diagnostics
        near = f" (near it: {', '.join(found.near)})" if found.near else ""
        return Broken(f"move {number}: {found.code} {found.message}{near}")
    if reasons:
        return Broken(f"move {number}, {text}, is not legal: {'; '.join(r.message for r in reasons)}")
    return problem


def random_plies(state: State, seed: int, most: int) -> Iterator[tuple[Move, State]]:
    """Yields random moves with the states after them: at most this many, and none after the end of the game."""
    rng = Random(seed)
    for _ in range(most):
        if state.is_terminal:
            return
        move = state.propose(rng)
        state = state.apply(move)
        yield move, state


def played_at_random(state: State, seed: int, plies: int | None) -> State:
    """Returns the state after this many random plies (None: at the end of the game). Raises ``Broken`` if it does not
    end.
    """
    for _, after in random_plies(state, seed, MOST_PLIES if plies is None else plies):
        state = after
    if plies is None and not state.is_terminal:
        raise Broken(f"the game is not over after {MOST_PLIES} plies")
    return state


def changed(state: State, rules: Lowered, values: Mapping[str, Any], place: Datum | None = None) -> State:
    """Returns the same place in the game with new values of some variables, which are given at ``place`` in the file.

    Raises ``Broken`` if a name or a value does not fit, or pieces are placed where they cannot be.
    """
    if not values:
        return state

    def computed(text: str, part: int) -> Any:
        expr = rules.expression(text, part, player_to_move(state) if part == state.part else None)
        return value_text(expr.type, evaluate_at(state, expr))

    where = place or Datum({})
    inner: Mapping[str, Datum] = where.value if isinstance(where.value, dict) else {}
    setting = Setting(state, computed)
    for name, plain in values.items():
        var = find_variable(state.game, name, state.part, Datum(name, where.key_span(name), where.pointer))
        setting.add(var, plain, inner.get(name, Datum(name)))
    return setting.state_set()
