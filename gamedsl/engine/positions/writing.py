"""A state -> the text of its position: YAML that a person can read, edit and give back."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator
from typing import Any

from gamedsl.engine.beginning import turns_data
from gamedsl.engine.information.observation import known_slots
from gamedsl.engine.information.unknown_values import Unknown
from gamedsl.engine.play.drawing_moves import drawing_text
from gamedsl.engine.positions.diagram import Diagram, diagram_of
from gamedsl.engine.positions.names import slot_names, unique_names
from gamedsl.engine.positions.noted import histories, history_lines
from gamedsl.engine.positions.places import Place, places_of
from gamedsl.engine.positions.plain_values import value_text
from gamedsl.engine.positions.standing import named_values, standing
from gamedsl.engine.positions.to_move import acting_names, mover_is_told, seat_of
from gamedsl.engine.positions.turn_counts import beginning_here
from gamedsl.engine.positions.turn_number import late_turns
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.engine.values import Value
from gamedsl.language.core import nodes as n
from gamedsl.language.syntax import flow

HIDDEN = "?"  # the value of a slot that the seat may not know
WIDTH = 100  # longer values get lines of their own


def position_data(state: State, seat: int | None = None) -> dict[str, Any]:
    """The position as plain data, without entries that a position need not have. ``seat``: only what that seat may
    know."""
    game = state.game
    if seat is None or not game.secrets.hides:
        place, there = standing(state)
        named: Collection[int] = named_values(there, place)
    else:  # choosing the shortest place could reveal something hidden
        place, there = places_of(game).exactly(state.block), state.seen_by(seat)
        named = range(len(game.program.variables))
        seat_text = game.players[seat]
    visible = state if seat is None else state.seen_by(seat)  # a seat may not know whether others have chosen
    diagram = diagram_of(there)
    rows = None if diagram is None else diagram.of(there)
    found: dict[str, Any] = {"game": game.program.name}
    if game.options:
        found["options"] = {name: int(v) if v.isdecimal() else v for name, v in game.options.items()}
    if seat is not None and game.secrets.hides:
        found["seat"] = seat_text
    whose = None if state.kind != "chance" or place.is_exact else place.mover
    found["to_move"] = _acting(visible) if whose is None else game.players[seat_of(there, whose)]
    if "seat" not in found and (turns := beginning_here(state).turns):
        found["turns"] = turns_data(game, turns)
    if not _is_default(place, state, "seat" in found):
        found["at"] = place.name
    if rows is not None:
        found["board"] = rows
    shown = diagram if rows is not None else None
    is_told = mover_is_told(there if seat is None else state) and (whose is not None or state.kind != "chance")
    values = dict(_values(there, place, named, seat, shown, is_told))
    if values:
        found["set"] = values
    if visible.pending:
        found["chosen"] = _chosen(visible)
    noted = {name: history_lines(there, var, place) for name, var in _noted(there, seat)}
    if noted:
        found["history"] = noted if len(histories(state)) > 1 else next(iter(noted.values()))
    return found


def _acting(state: State) -> str | list[str]:
    acting = acting_names(state)
    return acting[0] if len(acting) == 1 else acting


def _is_default(place: Place, state: State, is_for_seat: bool) -> bool:
    """Whether a position that names no place is read at this one."""
    places, begins = places_of(state.game), state.game.initial_state()
    if state.kind == "chance" and place.is_exact:
        return place.decision == begins.block
    return place.decision == places.first_decision and (is_for_seat or not place.is_exact)


def position_text(state: State, seat: int | None = None) -> str:
    """The position as YAML, one key per line. ``seat``: only what that seat may know."""
    return yaml_of_position(position_data(state, seat), state)


def yaml_of_position(data: dict[str, Any], state: State) -> str:
    """The YAML of ``position_data``, with a remark on what it need not name."""
    diagram = diagram_of(state) if "board" in data else None
    lines = [line for key, value in data.items() for line in _lines(key, value, diagram)]
    return "".join(f"{line}\n" for line in [*lines, *late_turns(state, data.get("set", {}))])


def position_line(state: State, seat: int | None = None) -> str:
    """The position as JSON on a single line. ``seat``: only what that seat may know."""
    return json.dumps(position_data(state, seat), ensure_ascii=False)


# ---------------------------------------------------------------------------------------------------------- values


def _values(
    there: State, place: Place, named: Collection[int], seat: int | None, diagram: Diagram | None, is_told: bool
) -> Iterator[tuple[str, Any]]:
    """The values that a position names under ``set``, by the names of the variables."""
    program = there.game.program
    told = set() if diagram is None else {v.index for v in diagram.variables}
    above = {p.var.index: p.above for part in program.parts for p in part.pieces if p.above is not None}
    extra = {var.index for var in above.values()}
    mover = place.mover
    for var, name in zip(program.variables, unique_names(program), strict=True):
        if isinstance(var.type, n.HistoryT) or var.index in extra:
            continue
        if var == mover and is_told:
            continue
        known = [True] * var.slots if seat is None else known_slots(there.whole, var, seat)
        found: dict[str, Any] = {}
        values, usual = codes_of(there, var), place.values[var.index]
        is_named = var.index in named or var == mover
        seen = [(a, b) for a, b in zip(values, usual, strict=True) if not isinstance(a, Unknown)]
        everything = is_named and var.index in place.missing and all(a == b for a, b in seen)
        for slot, key in enumerate(slot_names(var.keys)):
            if not known[slot]:
                found |= {} if var.role == "temp" else {key: HIDDEN}
            elif isinstance(values[slot], Unknown) or var.index in told or not is_named:
                continue
            elif everything or values[slot] != usual[slot]:
                found[key] = _plain(there, var, slot, values[slot], above.get(var.index))
        if found:
            yield name, found if var.keys else found[""]


def _plain(state: State, var: n.Var, slot: int, value: Value, above: n.Var | None) -> Any:
    match var.type:
        case n.StackT(inner):
            return [value_text(inner, x) for x in value]
        case n.DrawingT():
            return [drawing_text((stroke,)) for stroke in value]
        case n.SetT(domain) if above is not None:
            more = codes_of(state, above)[slot * domain.size : (slot + 1) * domain.size]
            return [x for i, x in enumerate(domain.names) if value >> i & 1 for _ in range(1 + more[i])]
        case n.HistoryT():
            raise AssertionError("`history` gives it")
        case t:
            return value_text(t, value)


def _chosen(state: State) -> dict[str, str]:
    """The open secret choices, by the names of the players who made them."""
    end: Any = state.terminator
    game = state.game
    seats = game.code.blocks[state.block].queries["seats"](state.slots)
    return {
        game.players[seats[mover]]: game.notation.move_text(end.alternatives[number].schema, args)
        for mover, number, args in state.pending
    }


def _noted(state: State, seat: int | None) -> Iterator[tuple[str, n.Var]]:
    names = unique_names(state.game.program)
    for var in histories(state):
        if (seat is None or not state.game.secrets.is_hidden(var)) and codes_of(state, var)[0].items():
            yield names[var.index], var


# ------------------------------------------------------------------------------------------------------------ text


def _lines(key: str, value: Any, diagram: Diagram | None) -> Iterator[str]:
    if key == "board" and diagram is not None:
        yield "board:"
        wide = max(map(len, value))
        for row, text in zip(diagram.rows, value, strict=True):
            names = [diagram.cells.names[cell] for cell in row]
            ends = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
            yield f"  - {json.dumps(text, ensure_ascii=False)}{' ' * (wide - len(text))}  # {ends}"
        return
    yield from _entry(key, value, "", key in ("set", "chosen"))


def _entry(key: str, value: Any, indent: str, is_open: bool = False) -> Iterator[str]:
    """A key with its value on one line; a longer object or list is on lines of its own."""
    line = f"{indent}{flow(key)}: {flow(value)}"
    if isinstance(value, dict) and value and (is_open or len(line) > WIDTH):
        yield f"{indent}{flow(key)}:"
        for name, inner in value.items():
            yield from _entry(name, inner, indent + "  ")
    elif isinstance(value, list) and value and len(line) > WIDTH and isinstance(value[0], str) and " " in value[0]:
        yield f"{indent}{flow(key)}:"
        yield from (f"{indent}  - {flow(item)}" for item in value)
    else:
        yield line
