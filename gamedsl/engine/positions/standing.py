"""A state -> the place at which its position is written, and the values from which the rules lead from there to the
state."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.engine.errors import RulesError
from gamedsl.engine.positions.noted import histories, this_noted
from gamedsl.engine.positions.places import Place, places_of
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.engine.values import Slots
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n

MOST_TRIALS = 3


def standing(state: State) -> tuple[Place, State]:
    """The beginning of the turn with values from which the rules lead to this state, if they can be found; else the
    state's own place and values."""
    if not state.is_terminal:
        for place in _beginnings(state):
            there = _values_there(state, place)
            if there is not None:
                return place, there
    return places_of(state.game).exactly(state.block), state


def _beginnings(state: State) -> Iterator[Place]:
    """The places from which a position of this state may be written, the earliest first."""
    places = places_of(state.game)
    decisions = [state.block] if places.graph.is_decision(state.block) else places.decisions_after(state.block)
    decisions = [d for d in decisions if places.begins_turn(d)]
    for decision in decisions:
        yield places.before(decision)
    for decision in decisions:
        later = [places.later(decision, frozenset((i,))) for i in places.waits_for(decision)]
        points = {(len(places.graph.chain(p.block)), p.index): p for p in later if p is not None}
        yield from (points[at] for at in sorted(points))


def _values_there(state: State, place: Place) -> State | None:
    """The position at a place from which the rules lead to this state; None if none is found."""
    program = state.game.program
    slots = list(state.slots)
    for var in program.variables:
        if var.index not in place.live and var != place.mover:
            start = state.game.code.offsets[var.index]
            slots[start : start + var.slots] = place.values[var.index]
    _forget_this(state, place, slots)
    for _ in range(MOST_TRIALS):
        found = _led_to(state, place, slots)
        if found is None:  # perhaps because a counter is at its highest number already
            usual = _with_usual_numbers(state, place, slots)
            found = _led_to(state, place, usual)
            if found is None or not _correct(program, usual, found, state):
                return None
            slots = usual
        elif found.slots == state.slots:
            there = state.game.make_state(place.decision, tuple(slots))
            return there if _is_read_there(there, place) else None
        elif not _correct(program, slots, found, state):
            return None
    return None


def _led_to(state: State, place: Place, slots: Slots) -> State | None:
    """The state to which the rules lead from these values at a place; None if they lead to another stop than this
    state."""
    try:
        found = places_of(state.game).run(state.game, place, list(slots))
    except RulesError:
        return None
    return found if found.block == state.block else None


def _with_usual_numbers(state: State, place: Place, slots: Slots) -> Slots:
    """The values, with the usual numbers in place of those that are written on the way to the decision."""
    written = places_of(state.game).written_on_the_way(place)
    found = list(slots)
    for var in state.game.program.variables:
        if var.index in written and isinstance(var.type, n.IntT):
            start = state.game.code.offsets[var.index]
            found[start : start + var.slots] = place.values[var.index]
    return found


def _is_read_there(there: State, place: Place) -> bool:
    """Whether a position that names these values is read back at this place."""
    places = places_of(there.game)
    beginning = places.before(place.decision)
    read = places.standing(beginning, named_values(there, place))
    return read is not None and (read.block, read.index) == (place.block, place.index)


def named_values(there: State, place: Place) -> frozenset[int]:
    """The variables that a position at a place names: those that it must name, and those with values other than the
    default there."""
    named = {
        v.index
        for v in there.game.program.variables
        if v.index in place.missing or tuple(codes_of(there, v)) != place.values[v.index]
    }
    return frozenset(named - {-1 if place.mover is None else place.mover.index})


def _forget_this(state: State, place: Place, slots: Slots) -> None:
    """Removes from the histories the positions that are noted on the way to the decision."""
    noting = places_of(state.game).noted_on_the_way(place)
    for var in histories(state):
        noted = this_noted(state, var) if var.index in noting else None
        if noted is not None:
            at = state.game.code.offsets[var.index]
            slots[at] = slots[at].minus(noted)


def _correct(program: n.Program, slots: Slots, found: State, wanted: State) -> bool:
    """Corrects numbers by the difference between the result of the rules and the wanted one. Returns whether that may
    help."""
    for var in program.variables:
        start = wanted.game.code.offsets[var.index]
        for i in range(start, start + var.slots):
            if found.slots[i] == wanted.slots[i]:
                continue
            if isinstance(var.type, n.HistoryT):
                slots[i] = slots[i].minus(found.slots[i].minus(wanted.slots[i]))
                continue
            if not isinstance(var.type, n.IntT):
                return False
            slots[i] += wanted.slots[i] - found.slots[i]
            low, high = limits(var.type)
            if not low <= slots[i] <= high:
                return False
    return True
