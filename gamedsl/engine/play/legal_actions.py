"""The legal actions of a state: as numbers, as a mask, and factor by factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gamedsl.engine.errors import play_error

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.engine.state import State

MOST_MASKED = 1 << 24  # entries of a mask: 16 MB


def legal_actions(state: State, player: int | None) -> list[int]:
    """The numbers of the legal moves, in ascending order. Raises ``GameDSLError`` (E0541) where a player draws."""
    if state.kind == "drawing":
        help = "use `propose` and `apply`"
        raise play_error("E0541", "a drawing has no number: there are infinitely many", help=help)
    number = state.game.action_space.number
    return sorted(map(number, state.legal_moves(player)))


def action_mask(state: State, player: int | None) -> NDArray[np.bool_]:
    """Per action of the game, whether it is legal: an array of ``game.num_actions`` truth values. Raises
    ``GameDSLError``: E0541 where a player draws, E0542 if the game has more than ``MOST_MASKED`` actions."""
    size = state.game.num_actions
    if size > MOST_MASKED:
        help = "use `legal_actions`, or `part_mask` for one parameter after the other"
        raise play_error("E0542", f"a mask of {size:,} actions is too large", help=help)
    marks = bytearray(size)  # faster than an array for the few actions that are legal
    for action in state.legal_actions(player):
        marks[action] = 1
    return np.frombuffer(marks, np.bool_)


def part_mask(state: State, chosen: tuple[int, ...], player: int | None) -> NDArray[np.bool_]:
    """Per value of the next factor, whether there is a legal action that begins with the parts ``chosen`` and this
    value.

    The length is ``game.action_factors[len(chosen)]``, 0 if there is no such factor. All false if the parts are a whole
    action, or no legal action begins with them.
    """
    space = state.game.action_space
    at = len(chosen)
    mask = np.zeros(space.factors[at] if at < len(space.factors) else 0, np.bool_)
    for action in state.legal_actions(player):
        parts = space.parts(action)
        if len(parts) > at and parts[:at] == tuple(chosen):
            mask[parts[at]] = True
    return mask
