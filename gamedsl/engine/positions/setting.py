"""The variables of a position are assigned here. Errors are reported at their places in the file."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field
from difflib import get_close_matches
from itertools import zip_longest
from typing import Any, TypeVar

from gamedsl.engine.play.advance import resume
from gamedsl.engine.play.drawing_moves import drawing_from
from gamedsl.engine.positions.names import slot_names
from gamedsl.engine.positions.plain_values import Misfit, encoded
from gamedsl.engine.positions.refused import unfit
from gamedsl.engine.positions.turn_number import turn_value
from gamedsl.engine.state import State
from gamedsl.engine.stop import codes_of
from gamedsl.language.boards import elements
from gamedsl.language.boards.drawing import Plan, Stroke, check_stroke
from gamedsl.language.core import nodes as n
from gamedsl.language.rules import describe
from gamedsl.language.source import GameDSLError, lazy_dataclass
from gamedsl.language.syntax import Datum

MOST_LISTED = 12  # names in a cure
Slots = dict[int, list[Any]]  # by the index of a variable
Computed = Callable[[str, int], Any]  # the plain value of an expression in a part's names

T = TypeVar("T")


@lazy_dataclass()
class Setting:
    """Collects new values of variables of a state. ``compute`` evaluates a string that begins with ``=`` (None: such a
    string is like any other). ``placed``: the places in the file of values, by variable and slot; ``named``: the places
    of the variables, by number."""

    state: State
    compute: Computed | None = None
    slots: Slots = field(default_factory=dict)
    placed: dict[tuple[int, int], Datum] = field(default_factory=dict)
    named: dict[int, Datum] = field(default_factory=dict)

    def add(self, var: n.Var, plain: Any, datum: Datum) -> None:
        """Assigns a variable the value at ``datum``."""
        if isinstance(var.type, n.HistoryT):
            raise unfit(datum, f"{var.name} cannot be set", help="reach the position by `moves`")
        self.named.setdefault(var.index, datum)
        above = self.state.game.variable(f"{var.name} above", var.part)
        slots = self.slots[var.index] = list(codes_of(self.state, var))
        for index, value, place in _by_slot(var, plain, datum):
            standing = self._counted(var, self._computed(var, value))
            slots[index] = _encoded(var, standing, place)
            self.placed[var.index, index] = place
            if above is not None:
                self._heights(above, index, standing, place)
            elif isinstance(var.type, n.SetT):
                _no_repeats(standing, place)

    def _computed(self, var: n.Var, plain: Any) -> Any:
        """Returns the plain value; a string that begins with ``=`` is evaluated."""
        if self.compute is None or not (isinstance(plain, str) and plain.startswith("=")):
            return plain
        return self.compute(plain[1:].strip(), var.part)

    def _counted(self, var: n.Var, plain: Any) -> Any:
        """Returns the plain value; for the number of a turn, that of the counter then."""
        is_count = isinstance(plain, int) and not isinstance(plain, bool)
        return turn_value(self.state.game.program, var, plain) if is_count else plain

    def _heights(self, above: n.Var, index: int, standing: list[Any], datum: Datum) -> None:
        """Sets the extra height on each cell of a stacking piece."""
        heights = self.slots.setdefault(above.index, list(codes_of(self.state, above)))
        cells, most = above.keys[-1], getattr(above.type, "high", 0) + 1
        for i, name in enumerate(cells.names):
            count = sum(str(x) == name for x in standing)
            if count > most:
                raise unfit(
                    datum, f"{count} pieces are on {name}; at most {most} can be", help=f"name it at most {most} times"
                )
            heights[index * cells.size + i] = max(0, count - 1)

    def state_set(self) -> State:
        """Returns the state with the new values, or the one that follows if nobody can act there. Raises ``Broken`` if
        pieces stand where they cannot."""
        self.check_pieces()
        return settled(self.state_here())

    def state_here(self) -> State:
        """Returns the state with the new values, even if nobody can act there."""
        return with_slots(self.state, self.slots)

    # ---------------------------------------------------------------------------------------------------- pieces

    def check_pieces(self) -> None:
        """Checks that pieces stand as ``put`` would place them: not on occupied cells, and no more than there are."""
        for part in self.state.game.program.parts:
            self._check_sharing([p for p in part.pieces if p.on_board])
            for piece in part.pieces:
                if piece.each is not None:
                    self._check_supply(piece, piece.each)

    def _check_sharing(self, pieces: list[n.PieceKind]) -> None:
        """Checks that no two kinds or colors of pieces share a cell, as far as they were set."""
        standing = [(piece.var, slot, now) for piece in pieces for slot, now in enumerate(self._now(piece.var))]
        for var, slot, here in standing:
            place = self.placed.get((var.index, slot))
            if place is None:
                continue
            for other, other_slot, there in standing:
                if here & there and (other.index, other_slot) != (var.index, slot):
                    assert isinstance(var.type, n.SetT)
                    name = var.type.domain.names[next(elements(here & there))]
                    owner, rival = _named(var, slot), _named(other, other_slot)
                    raise unfit(
                        _item(place, name),
                        f"{owner} and {rival} both have a piece on {name}, which holds only one",
                        help=f"omit {name} in one of them",
                    )

    def _check_supply(self, piece: n.PieceKind, each: int) -> None:
        assert isinstance(piece.var.type, n.SetT)
        above = None if piece.above is None else self._now(piece.above)
        cells = piece.var.type.domain.size
        for slot, here in enumerate(self._now(piece.var)):
            place = self.placed.get((piece.var.index, slot))
            if place is None:
                continue
            count = here.bit_count() + (0 if above is None else sum(above[slot * cells : (slot + 1) * cells]))
            if count > each:
                problem = f"{count} pieces {_named(piece.var, slot)} are set, but there are only {each}"
                raise unfit(place, problem, help=f"name at most {each}")

    def _now(self, var: n.Var) -> list[Any]:
        return self.slots[var.index] if var.index in self.slots else list(codes_of(self.state, var))


def with_slots(state: State, values: Slots) -> State:
    """Returns the state at the same place with other values of some variables."""
    slots = list(state.slots)
    for index, of_one in values.items():
        start = state.game.code.offsets[index]
        slots[start : start + len(of_one)] = of_one
    return state.game.make_state(state.block, tuple(slots), state.pending)


def settled(state: State) -> State:
    """Returns the state; or, if nobody can act there, the state to which the rules then lead."""
    return resume(state.game, list(state.slots), state.block, state.pending)


def _named(var: n.Var, slot: int) -> str:
    names = slot_names(var.keys)
    return f"{var.name}[{names[slot]}]" if var.keys else var.name


def _item(datum: Datum, name: str) -> Datum:
    """Returns the place of a name in a list; of the whole list if it does not occur."""
    listed = datum.value if isinstance(datum.value, list) else []
    return next((d for d in listed if str(d.value) == name), datum)


def _no_repeats(standing: Any, datum: Datum) -> None:
    names = [str(x) for x in standing] if isinstance(standing, list) else []
    twice = next((x for x in names if names.count(x) > 1), None)
    if twice is not None:
        again = [d for d in datum.value if str(d.value) == twice] if isinstance(datum.value, list) else []
        raise unfit(again[1] if len(again) > 1 else datum, f"{twice} is named twice", help="name it once")


def _encoded(var: n.Var, plain: Any, datum: Datum) -> Any:
    """Returns the value of a slot. In a list, the error points at the bad element."""
    match var.type:
        case n.DrawingT(plan):
            return _drawing(plan, plain, datum)
        case n.StackT(inner, limit):
            items = datum.value if isinstance(datum.value, list) else []
            if not isinstance(plain, list) or len(plain) > limit:
                raise unfit(datum, f"{var.name} holds a list of up to {limit} values, the lowest first")
            return tuple(_fitting(inner, x, d) for x, d in zip_longest(plain, items[: len(plain)], fillvalue=datum))
        case n.HistoryT():
            raise AssertionError("refused before")
        case n.SetT(domain) as t:
            for item in datum.value if isinstance(datum.value, list) else []:
                _fitting(n.ElemT(domain), item.value, item)
            return _fitting(t, plain, datum)
        case t:
            return _fitting(t, plain, datum)


def _fitting(t: n.ValueT, plain: Any, datum: Datum) -> int:
    try:
        return encoded(t, plain)
    except Misfit as problem:
        inner = t.inner if isinstance(t, n.OptT) else t
        names = inner.domain.names if isinstance(inner, n.ElemT) else ()
        raise unfit(datum, str(problem), near=_near(str(plain), names), help=_cure(t)) from None


def _cure(t: n.ValueT) -> str:
    match t:
        case n.ElemT(domain):
            return f"write one of {', '.join(domain.names[:MOST_LISTED])}" + ", ..." * (domain.size > MOST_LISTED)
        case n.SetT(domain):
            return f"write a list of {domain.name}, such as [{', '.join(domain.names[:2])}], or [] for none"
        case _:
            return f"write {describe(t)}"


def _drawing(plan: object, plain: Any, datum: Datum) -> Any:
    """Returns the strokes of a drawing, checked one by one."""
    assert isinstance(plan, Plan)
    drawn: tuple[Stroke, ...] = ()
    items = datum.value if isinstance(datum.value, list) else []
    for text, place in zip_longest(plain if isinstance(plain, list) else [plain], items, fillvalue=datum):
        try:
            strokes = drawing_from(str(text))
        except GameDSLError as problem:
            raise unfit(place, problem.diagnostics[0].message) from None
        for name, points in strokes:
            if name not in plan.names:
                raise unfit(place, f"there is no stroke called {name}", near=_near(name, plan.names))
            faults = check_stroke(plan, drawn, name, points)
            if faults:
                raise unfit(place, f"{name}: {faults[0].message}")
            drawn = (*drawn, (name, points))
    return drawn


def _near(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(name, names, n=3))


def _deeper(key: str, place: Datum) -> Datum:
    """The object under a key, with that key in front of its own keys."""
    value = _prefixed(key, place.value) if isinstance(place.value, dict) else place.value
    return Datum(value, place.span, place.pointer, _prefixed(key, place.keys))


def _prefixed(key: str, inner: Mapping[str, T]) -> dict[str, T]:
    return {f"{key}, {k}": v for k, v in inner.items()}


def _by_slot(var: n.Var, plain: Any, datum: Datum) -> Iterator[tuple[int, Any, Datum]]:
    """Yields the number, value and place of every slot that is set."""
    if not var.keys:
        yield 0, plain, datum
        return
    if not isinstance(plain, dict):
        raise unfit(datum, f"it needs a value for each {var.keys[0].name}")
    names = slot_names(var.keys)
    inner: Mapping[str, Datum] = datum.value if isinstance(datum.value, dict) else {}
    for key, value in plain.items():
        place = inner.get(key, datum)
        if isinstance(value, dict) and any(name.startswith(f"{key}, ") for name in names):
            yield from _by_slot(var, _prefixed(key, value), _deeper(key, place))
            continue
        if key not in names:
            place = Datum(key, datum.key_span(key), datum.pointer)
            raise unfit(place, f"{key} is none of {', '.join(names[:20])}", near=_near(key, tuple(names)))
        yield names.index(key), value, place
