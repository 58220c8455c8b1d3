"""Assigns variables as an example's ``set`` says. Errors are reported at their place in the file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from gamedsl.boards.domains import Domain, elements
from gamedsl.check.base.values import Misfit, encoded, shown
from gamedsl.core.nodes import DrawingT, HistoryT, SetT, StackT, Var
from gamedsl.engine.state import State
from gamedsl.rules import Lowered
from gamedsl.rules.scope import Env, PieceSym
from gamedsl.source.diagnostic import Diagnostic
from gamedsl.source.text import NOWHERE
from gamedsl.syntax.data.datum import Datum
from gamedsl.syntax.data.messages import data_problem

Slots = dict[int, list[Any]]  # by the index of a variable


class Broken(Exception):
    """The position of an example can't be built; the message says why, ``diagnostics`` also where."""

    def __init__(self, message: str, *diagnostics: Diagnostic) -> None:
        super().__init__(message)
        self.diagnostics = diagnostics


def unfit(datum: Datum, problem: str, *, near: tuple[str, ...] = (), help: str = "") -> Broken:
    """Returns an error at a place in the file."""
    found = data_problem("E0644", datum.span, datum.pointer, near=near, problem=problem, cure=help)
    where = "" if found.span is NOWHERE else f"{found.span}: "
    return Broken(f"{where}{problem}{f' ({help})' if help else ''}", found)


@dataclass
class Setting:
    """Collects new values of variables. ``placed``: the places in the file of the cells of a piece's slot."""

    state: State
    rules: Lowered

    def __post_init__(self) -> None:
        self.slots: Slots = {}
        self.placed: dict[tuple[int, int], Datum] = {}

    def add(self, var: Var, plain: Any, datum: Datum) -> None:
        """Assigns a variable the value at ``datum``."""
        if isinstance(var.type, DrawingT | HistoryT | StackT):
            raise unfit(datum, f"{var.name} can't be set", help="reach the position by `moves`")
        above = self.state.game.variable(f"{var.name} above", var.part)
        slots = self.slots[var.index] = list(self.state.value(var))
        for index, value, place in _by_slot(var, plain, datum):
            standing = self._computed(var, value, place)
            slots[index] = _encoded(var, standing, place)
            self.placed[var.index, index] = place
            if above is not None:
                self._heights(above, index, standing, place)
            elif isinstance(var.type, SetT):
                _no_repeats(standing, place)

    def _computed(self, var: Var, plain: Any, datum: Datum) -> Any:
        """Returns the plain value; a text that begins with ``=`` is evaluated."""
        if not (isinstance(plain, str) and plain.startswith("=")):
            return plain
        expr = self.rules.expression(plain[1:].strip(), var.part)
        return shown(expr.type, self.state.evaluate(expr))

    def _heights(self, above: Var, index: int, standing: list[Any], datum: Datum) -> None:
        """Sets the extra height on each cell of a stacking piece."""
        heights = self.slots.setdefault(above.index, list(self.state.value(above)))
        cells, most = above.keys[-1], getattr(above.type, "high", 0) + 1
        for i, name in enumerate(cells.names):
            count = sum(str(x) == name for x in standing)
            if count > most:
                raise unfit(datum, f"{count} pieces stand on {name}; at most {most} can")
            heights[index * cells.size + i] = max(0, count - 1)

    # ---------------------------------------------------------------------------------------------------- pieces

    def check_pieces(self) -> None:
        """Checks that pieces stand as ``put`` would place them: not on occupied cells, and no more than there are."""
        for env in self.rules.builder.envs:
            self._check_sharing(env)
            for piece in env.pieces():
                if piece.each is not None:
                    self._check_supply(piece, piece.each)

    def _check_sharing(self, env: Env) -> None:
        """Checks that no two kinds or colours of pieces share a cell, as far as they were set."""
        standing = [
            (piece, slot, now)
            for piece in env.pieces()
            if piece.place is env.place
            for slot, now in enumerate(self._now(piece.var))
        ]
        for piece, slot, here in standing:
            place = self.placed.get((piece.var.index, slot))
            if place is None:
                continue
            for other, other_slot, there in standing:
                if here & there and (other.var.index, other_slot) != (piece.var.index, slot):
                    name = piece.place.names[next(iter(elements(here & there)))]
                    owner, rival = _named(piece.var, slot), _named(other.var, other_slot)
                    raise unfit(
                        _item(place, name),
                        f"{owner} and {rival} both stand on {name}, where one piece can",
                        help=f"leave {name} out of one of them",
                    )

    def _check_supply(self, piece: PieceSym, each: int) -> None:
        above = None if piece.extra is None else self._now(piece.extra)
        for slot, here in enumerate(self._now(piece.var)):
            place = self.placed.get((piece.var.index, slot))
            if place is None:
                continue
            cells = piece.place.size
            count = here.bit_count() + (0 if above is None else sum(above[slot * cells : (slot + 1) * cells]))
            if count > each:
                problem = f"{count} pieces {_named(piece.var, slot)} stand there, and there are {each}"
                raise unfit(place, problem, help=f"name at most {each}")

    def _now(self, var: Var) -> list[Any]:
        return self.slots[var.index] if var.index in self.slots else list(self.state.value(var))


def _named(var: Var, slot: int) -> str:
    names = _slot_names(var.keys)
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


def _encoded(var: Var, plain: Any, datum: Datum) -> int:
    """Returns the Core's value. In a list, the error points at the bad element."""
    assert not isinstance(var.type, DrawingT | HistoryT | StackT)
    try:
        return encoded(var.type, plain)
    except Misfit as problem:
        for item in datum.value if isinstance(datum.value, list) and isinstance(var.type, SetT) else []:
            try:
                encoded(var.type, [item.value])
            except Misfit as own:
                near = _near(str(item.value), var.type.domain.names) if isinstance(var.type, SetT) else ()
                raise unfit(item, str(own), near=near) from None
        raise unfit(datum, str(problem)) from None


def _near(name: str, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(get_close_matches(name, names, n=3))


def _by_slot(var: Var, plain: Any, datum: Datum) -> Iterator[tuple[int, Any, Datum]]:
    """Yields the number, value and place of every slot that is set."""
    if not var.keys:
        yield 0, plain, datum
        return
    if not isinstance(plain, dict):
        raise unfit(datum, f"it needs a value for each {var.keys[0].name}")
    names = _slot_names(var.keys)
    inner: Mapping[str, Datum] = datum.value if isinstance(datum.value, dict) else {}
    for key, value in plain.items():
        if key not in names:
            place = Datum(key, datum.key_span(key), datum.pointer)
            raise unfit(place, f"{key} is none of {', '.join(names[:20])}", near=_near(key, tuple(names)))
        yield names.index(key), value, inner.get(key, datum)


def _slot_names(keys: tuple[Domain, ...]) -> list[str]:
    names = [""]
    for domain in keys:
        names = [f"{a}, {b}" if a else b for a in names for b in domain.names]
    return names
