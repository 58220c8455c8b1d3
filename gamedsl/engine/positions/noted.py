"""The noted positions of a state, as lines of hexadecimal numbers: ``1 ff00*2 0`` is 1, ff00, ff00, 0."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from gamedsl.engine.positions.places import places_of
from gamedsl.engine.positions.refused import unfit
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.engine.values import History
from gamedsl.language.core import all_statements, free_locals, limits, noted_positions
from gamedsl.language.core import nodes as n
from gamedsl.language.syntax import Datum, plain

if TYPE_CHECKING:
    from gamedsl.engine.positions.places import Place
    from gamedsl.engine.state import State

THIS = "this"  # this position, once
MOST_NOTED = 100_000
_NUMBER = r"-?[0-9a-f]+(?:\*[0-9]{1,4})?"
_LINE = re.compile(rf"({_NUMBER}(?: {_NUMBER})*)(?: x([1-9][0-9]{{0,5}}))?")


def histories(state: State) -> list[n.Var]:
    """The variables that hold noted positions."""
    return [v for v in state.game.program.variables if isinstance(v.type, n.HistoryT)]


def history_lines(state: State, var: n.Var, place: Place) -> str | list[str]:
    """The noted positions: ``this`` if only this one was noted, else one line for each. If the rules note this one on
    the way from the place, only those noted before it."""
    found = codes_of(state, var)[0]
    assert isinstance(found, History)
    if var.index not in places_of(state.game).noted_on_the_way(place) and found == this_noted(state, var):
        return THIS
    return [_numbers(values) + (f" x{number}" if number > 1 else "") for values, number in found.items()]


def _numbers(values: tuple[int, ...]) -> str:
    """The numbers in hexadecimal; a run of equal ones is written once, with its length."""
    runs = [(value, len(list(run))) for value, run in groupby(values)]
    return " ".join(f"{value:x}" + (f"*{number}" if number > 1 else "") for value, number in runs)


def _values(text: str) -> tuple[int, ...]:
    """The inverse of ``_numbers``."""
    found: list[int] = []
    for piece in text.split():
        number, _, times = piece.partition("*")
        found += [int(number, 16)] * int(times or 1)
    return tuple(found)


def read_history(state: State, var: n.Var, place: Datum) -> History:
    """The inverse of ``history_lines``. Raises ``Broken`` if the lines are not noted positions of this history."""
    if place.value == THIS:
        found = this_noted(state, var)
        if found is None:
            raise unfit(place, "this position is never noted here", help="omit `history`")
        return found
    if not isinstance(place.value, list):
        raise unfit(place, "a history is `this`, or a list of the noted positions")
    types = noted_positions(state.game.program).get(var.index, ())
    counts: dict[tuple[int, ...], int] = {}
    for line in place.value:
        read = _LINE.fullmatch(str(plain(line)))
        values = _values(read[1]) if read else ()
        fits = read is not None and len(values) == len(types)
        if not fits or any(not low <= x <= high for x, (low, high) in zip(values, map(limits, types), strict=True)):
            raise unfit(line, "this is not a noted position", help="omit `history` if nothing has been noted")
        assert read is not None
        counts[values] = counts.get(values, 0) + int(read[2] or 1)
    if sum(counts.values()) > MOST_NOTED:
        raise unfit(place, f"more than {MOST_NOTED} positions are noted")
    return History(counts)


def this_noted(state: State, var: n.Var) -> History | None:
    """The history that contains this position once; None if it is unclear what would be noted."""
    for statement in all_statements(state.game.program):
        if isinstance(statement, n.NoteS) and statement.history.index == var.index:
            if not any(free_locals(e) for e in statement.position):
                return History({tuple(evaluate_at(state, e) for e in statement.position): 1})
    return None
