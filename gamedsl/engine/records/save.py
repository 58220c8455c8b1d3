"""Serialization of states. Damaged text, or text that belongs to other rules, is refused."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from gamedsl.engine.beginning import (
    beginning_data,
    beginning_from,
    counted_players,
    remember_beginning,
    remembered_beginning,
)
from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.move_making import make_move
from gamedsl.engine.facts.variable_names import variable_names
from gamedsl.engine.information.observation import known_slots, own_choices, plain_value
from gamedsl.engine.play.advance import resume
from gamedsl.engine.play.drawing_moves import drawing_from
from gamedsl.engine.positions.turn_counts import beginning_here
from gamedsl.engine.saved_past import Beginning
from gamedsl.engine.state import Choice, State
from gamedsl.engine.stop import codes_of
from gamedsl.engine.values import History, Slots, Value
from gamedsl.language.boards.drawing import check_stroke
from gamedsl.language.core import is_stop, limits, noted_positions
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

FORMAT = 1
LONGEST = 5_000_000
MOST_NOTED = 100_000  # positions in a history
DAMAGED = "E0520"


def save_state(state: State, for_seat: int | None) -> str:
    """A state as JSON text, with the digest of the rules and a checksum over everything. ``for_seat``: only what that
    seat may know."""
    values: dict[str, Any] = {}
    for var, name in zip(state.game.program.variables, variable_names(state.game.program), strict=True):
        flags = [True] * var.slots if for_seat is None else known_slots(state, var, for_seat)
        slots = zip(codes_of(state, var), flags, strict=True)
        values[name] = [plain_value(var, v) if ok else None for v, ok in slots]
    pending = state.pending if for_seat is None else own_choices(state, for_seat)
    data = {
        "gamedsl state": FORMAT,
        "game": state.game.program.name,
        "options": state.game.options,
        "rules": state.game.digest,
        "seat": None if for_seat is None else state.game.players[for_seat],
        "block": state.block,
        "values": values,
        "pending": [[mover, number, list(args)] for mover, number, args in pending],
        **({} if for_seat is not None and state.game.secrets.hides else beginning_data(state.game, _beginning(state))),
    }
    return json.dumps({**data, "check": _check(data)}, indent=1, ensure_ascii=False) + "\n"


def _beginning(state: State) -> Beginning:
    """What is known of the plies before a state."""
    counts = bool(counted_players(state.game.program))
    return beginning_here(state) if counts else remembered_beginning(state)


def _check(data: Mapping[str, Any]) -> str:
    canonical = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def damaged(why: str, *, help: str = "") -> GameDSLError:
    return play_error(DAMAGED, f"this saved state cannot be read: {why}", help=help)


def load_state(game: Game, text: str) -> State:
    """The saved state. Raises ``GameDSLError``: E0520 if it is damaged, E0521 if it belongs to other rules, E0522 if it
    was saved for one seat only."""
    data = _parsed(text)
    rules = data.get("rules")
    if not (isinstance(rules, str) and len(rules) == len(game.digest) and game.has_digest(rules)):
        options = f" with {data['options']}" if isinstance(data.get("options"), dict) and data["options"] else ""
        raise play_error("E0521", f"the saved state belongs to other rules: {data.get('game')}{options}")
    if data.pop("check", None) != _check(data):
        raise damaged("its checksum is wrong", help="the text was changed or cut after it was saved")
    try:
        return _built(game, data)
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        raise damaged("its contents are inconsistent") from error


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise damaged("it is too large")
    try:
        data = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise damaged("it is not JSON", help="it may have been cut") from error
    if not isinstance(data, dict) or data.get("gamedsl state") != FORMAT:
        raise damaged("it is not a saved state of this version")
    return data


def _built(game: Game, data: dict[str, Any]) -> State:
    block = data["block"]
    if type(block) is not int or block < 0 or not is_stop(game.program.blocks[block]):
        raise damaged("it names a place that the game does not have")
    names = variable_names(game.program)
    if set(names) != set(data["values"]):
        raise damaged("its variables differ from those of the game")
    slots: Slots = []
    for var, name in zip(game.program.variables, names, strict=True):
        saved = data["values"][name]
        if len(saved) != var.slots:
            raise damaged(f"{name} has {len(saved)} values instead of {var.slots}")
        if None in saved:
            help = "only a save made for all seats can be resumed"
            hidden = game.secrets.name()
            raise play_error("E0522", f"this save is for one seat: {hidden} is hidden from it", help=help)
        slots.extend(_value(game, var, v, name) for v in saved)
    pending = tuple((m, i, tuple(args)) for m, i, args in data["pending"])
    state = game.make_state(block, tuple(slots), ())
    for choice in pending:
        state = _chosen_again(state, choice)
    state.past = state.previous = None
    remember_beginning(state, beginning_from(game, data))
    return state


def _value(game: Game, var: n.Var, saved: Any, name: str) -> Value:
    match var.type:
        case n.StackT(inner, limit):
            low, high = limits(inner)
            if len(saved) > limit or not all(type(x) is int and low <= x <= high for x in saved):
                raise damaged(f"{name} has a value outside its range")
            return tuple(saved)
        case n.HistoryT():
            return _history(saved, noted_positions(game.program).get(var.index, ()), name)
        case n.DrawingT(plan):
            return _drawing(saved, plan, name)
        case t:
            low, high = limits(t)
            if type(saved) is not int or not low <= saved <= high:
                raise damaged(f"{name} holds {saved!r}, which is outside its range")
            return saved


def _history(saved: Any, types: tuple[n.VarT, ...], name: str) -> History:
    """The history of saved noted positions. Raises ``GameDSLError`` if a value is invalid or there are too many
    positions."""
    counts: dict[tuple[int, ...], int] = {}
    for position, count in saved:
        if not _is_position(position, types) or type(count) is not int or count < 1:
            raise damaged(f"{name} holds a position that cannot be noted")
        counts[tuple(position)] = count
    if len(counts) != len(saved) or sum(counts.values()) > MOST_NOTED:
        raise damaged(f"{name} holds too many positions, or one of them twice")
    return History(counts)


def _drawing(saved: Any, plan: Any, name: str) -> Value:
    """A saved drawing, checked stroke by stroke. Raises ``GameDSLError`` if it cannot be drawn."""
    drawn: tuple[Any, ...] = ()
    for stroke, points in drawing_from(saved):
        if check_stroke(plan, drawn, stroke, points):
            raise damaged(f"{name} holds a drawing that cannot be drawn")
        drawn = (*drawn, (stroke, points))
    return drawn


def _chosen_again(state: State, choice: Choice) -> State:
    """The state after a saved pending choice, which must be a legal move of this position."""
    end = state.terminator
    mover, number, args = choice
    if not isinstance(end, n.DecideTogether):
        raise damaged("no secret choice is made there")
    seat = state.game.code.blocks[state.block].queries["seats"](state.slots)[mover]
    move = make_move(state.game, end.alternatives[number].schema, seat, args)
    after = state.apply(move)
    if not after.pending:
        raise damaged("everybody has already chosen")
    return after


def _can_hold(game: Game, var: n.Var, value: Any) -> bool:
    """Whether the variable can hold this value. Compiled code does not check that."""
    match var.type:
        case n.StackT(inner, limit):
            return isinstance(value, tuple) and len(value) <= limit and all(_in_range(inner, x) for x in value)
        case n.HistoryT():
            types = noted_positions(game.program).get(var.index, ())
            return isinstance(value, History) and all(_is_position(p, types) for p, _ in value.items())
        case n.DrawingT():
            return isinstance(value, tuple)
        case t:
            return _in_range(t, value)


def _in_range(t: n.VarT, value: Any) -> bool:
    low, high = limits(t)
    return isinstance(value, int) and low <= value <= high


def _is_position(values: Any, types: tuple[n.VarT, ...]) -> bool:
    return len(values) == len(types) and all(
        type(x) is int and _in_range(t, x) for t, x in zip(types, values, strict=True)
    )


def changed_values(state: State, changes: Mapping[tuple[str, int], list[Value]]) -> State:
    """The state at the same stop with some variables changed. If nobody can act there, the game continues as the rules
    say for that case. Raises ``GameDSLError`` (E0506) if there is no such variable, or the values do not fit."""
    slots = list(state.slots)
    for (name, part), values in changes.items():
        var = state.game.variable(name, part)
        if var is None:
            raise play_error("E0506", f"there is no variable {name!r}")
        if len(values) != var.slots:
            raise play_error("E0506", f"{name} has {var.slots} values, not {len(values)}")
        for value in values:
            if not _can_hold(state.game, var, value):
                raise play_error("E0506", f"{name} cannot hold {value}")
        start = state.game.code.offsets[var.index]
        slots[start : start + var.slots] = values
    after = resume(state.game, slots, state.block, state.pending)
    remember_beginning(after, Beginning(_beginning(state).turns))
    return after
