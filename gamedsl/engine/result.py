"""The result of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.values import bits

if TYPE_CHECKING:
    from gamedsl.engine.state import State


def returns(state: State) -> tuple[int, ...]:
    if not state.is_terminal:
        return (0,) * state.game.num_players
    return tuple(state.game.code.blocks[state.block].queries["payoff"](state.slots))


def winners(state: State) -> frozenset[int]:
    if not state.is_terminal:
        return frozenset()
    return frozenset(bits(state.game.code.blocks[state.block].queries["winners"](state.slots)))


def scores(state: State) -> tuple[int, ...]:
    if not state.is_terminal:
        return ()
    return tuple(state.game.code.blocks[state.block].queries["scores"](state.slots))


def outcome_text(state: State) -> str:
    if not state.is_terminal:
        return ""
    names = state.game.players
    won = [names[i] for i in sorted(winners(state))]
    match won:
        case []:
            text = "a draw" if len(names) > 1 else "nobody wins"
        case [one]:
            text = f"{one} wins"
        case [*most, last]:
            text = f"{', '.join(most)} and {last} win"
    points = scores(state)
    if points:
        text += " (" + ", ".join(f"{n} {p}" for n, p in zip(names, points, strict=True)) + ")"
    return text
