"""What a seat observes, as a tensor and as text. It contains only values that ``visible_values`` grants."""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING, Any

import numpy as np

from gamedsl.engine.facts.move_making import make_move
from gamedsl.engine.facts.observation_layout import (
    DIGIT_BITS,
    Feature,
    ObservedPart,
    is_in_digits,
    places,
    stop_kinds,
)
from gamedsl.engine.information.information_state import slot_labels, value_words
from gamedsl.engine.information.observation import own_choices, seats_to_act, visible_values
from gamedsl.engine.values import bits
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gamedsl.engine.state import State

Seen = list[tuple[Any] | None]


def observation_tensor(state: State, seat: int | None, part: ObservedPart) -> NDArray[np.float32]:
    """An observation as one array: the features of ``Game.layout_of(part)``, one after the other."""
    layout = state.game.layout_of(part)
    out = np.zeros(layout.size, np.float32)
    seen, offsets = _seen(state, seat, part), state.game.code.offsets
    watcher = None if part == "public" else seat
    for f in layout.features:
        own = out[f.first : f.first + f.size].reshape(f.shape)
        if f.variable is None:
            _write_stop(own, f, state, watcher)
        else:
            var = state.game.program.variables[f.variable]
            slots = seen[offsets[var.index] : offsets[var.index + 1]]
            WRITERS[f.coding](own.reshape(flat_shape(f, var)), f, var, slots)
    return out


def _seen(state: State, seat: int | None, part: ObservedPart) -> Seen:
    """The values of the slots in one part of an observation: all that are visible to the seat, those visible to a
    spectator, or those visible to the seat but not to a spectator."""
    if part == "public":
        return visible_values(state, None)
    found = visible_values(state, seat)
    if part == "whole":
        return found
    return [None if b is not None else a for a, b in zip(found, visible_values(state, None), strict=True)]


# ----------------------------------------------------------------------------------------------- variables


def flat_shape(f: Feature, var: n.Var) -> tuple[int, ...]:
    """The shape of a feature with all keys of its variable in one axis."""
    if f.coding == "members":
        return var.slots, f.size // max(1, var.slots)
    return (*f.shape[: len(f.shape) - len(var.keys)], var.slots)


def _write_known(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    own[:] = [value is not None for value in slots]


def _write_number(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    for at, value in enumerate(slots):
        if value is not None:
            own[..., at] = number_of(f, int(value[0]), own.shape[0])


def number_of(f: Feature, value: int, digits: int) -> int | list[int]:
    if not is_in_digits(f):
        return value
    return [(value - f.base) >> DIGIT_BITS * (digits - 1 - i) & (1 << DIGIT_BITS) - 1 for i in range(digits)]


def _write_one_hot(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    low = limits(var.type)[0]
    for at, value in enumerate(slots):
        if value is not None:
            own[value[0] - low, at] = 1


def _write_members(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    for at, value in enumerate(slots):
        if value is not None:
            own[at, bits(value[0])] = 1


def _write_height(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    own[:] = [0 if value is None else len(value[0]) for value in slots]


def _write_items(own: NDArray[np.float32], f: Feature, var: n.Var, slots: Seen) -> None:
    assert isinstance(var.type, n.StackT)
    low = limits(var.type.inner)[0]
    for at, value in enumerate(slots):
        for level, item in enumerate(() if value is None else value[0]):
            if f.coding == "items":
                own[level, item - low, at] = 1
            else:
                own[level, at] = 1 + item - low


WRITERS = {
    "known": _write_known,
    "number": _write_number,
    "one-hot": _write_one_hot,
    "members": _write_members,
    "height": _write_height,
    "items": _write_items,
    "item numbers": _write_items,
}


# ------------------------------------------------------------------------------------------------- the stop


def _write_stop(own: NDArray[np.float32], f: Feature, state: State, seat: int | None) -> None:
    game = state.game
    match f.name:
        case "to act":
            own[seats_to_act(state, seat)] = 1
        case "own choice":
            for at, action in enumerate(_own_actions(state, seat)):
                own[..., at] = number_of(f, 1 + action, own.shape[0])
        case "kind":
            own[stop_kinds(game).index(state.kind)] = 1
        case "phase":
            own[places(game).index((state.phase, state.part))] = 1
        case "won":
            own[sorted(state.winners)] = 1
        case "returns":
            own[:] = state.returns
        case "scores":
            own[:] = state.scores or 0


def _own_actions(state: State, seat: int | None) -> list[int]:
    """The numbers of the actions that a seat has chosen while others still choose."""
    end = state.terminator
    if seat is None or not isinstance(end, n.DecideTogether):
        return []
    made = sorted(own_choices(state, seat), key=itemgetter(0))
    return [state.game.action(make_move(state.game, end.alternatives[i].schema, seat, args)) for _, i, args in made]


# ----------------------------------------------------------------------------------------------------- text


def observation_text(state: State, seat: int | None, part: ObservedPart) -> str:
    """The contents of the tensor as lines of text: the stop, then the values of all variables, ``?`` if hidden."""
    game, lines = state.game, []
    watcher = None if part == "public" else seat
    if part != "private":
        place = " ".join(t for t in (state.phase, game.program.parts[state.part].name if state.part else "") if t)
        lines.append(f"stop: {state.kind}{f' ({place})' if place else ''}")
    lines.append(f"to act: {', '.join(game.players[p] for p in seats_to_act(state, watcher)) or '-'}")
    lines += [f"own choice: {game.action_text(a)}" for a in _own_actions(state, watcher)]
    if state.is_terminal and part != "private":
        lines.append(f"the end: {state.outcome_text} ({', '.join(map(str, state.returns))})")
    sized = {f.variable for f in game.layout_of(part).features}
    for (label, var), value in zip(slot_labels(game), _seen(state, seat, part), strict=True):
        if var.index in sized:
            lines.append(value_words(label, var, value))
    return "\n".join(lines)
