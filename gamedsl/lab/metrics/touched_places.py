"""The places of the board that a game touches: those where any variable changes."""

from __future__ import annotations

from itertools import product

from gamedsl.engine import State, slot_offsets
from gamedsl.language.boards import Domain, elements
from gamedsl.language.core import nodes as n

UNTRACKED = ("temp", "count", "countdown", "viewers")  # roles of variables that are not on the board


class Places:
    """The touched places, by kind (``cell``, ``edge`` ...)."""

    def __init__(self, program: n.Program) -> None:
        self.domains = {d for part in program.parts if part.board is not None for d in part.board.domains.values()}
        offsets = slot_offsets(program.variables)
        self.slots: list[tuple[int, n.Var, tuple[tuple[Domain, int], ...]]] = []
        for var in program.variables:
            if var.role in UNTRACKED or isinstance(var.type, n.DrawingT | n.HistoryT):
                continue
            keys = [[(k, i) for i in range(k.size)] for k in var.keys]
            for slot, at in enumerate(product(*keys)):
                places = tuple((d, i) for d, i in at if d in self.domains)
                if places or _domain(var.type) in self.domains:
                    self.slots.append((offsets[var.index] + slot, var, places))
        self.touched: dict[str, set[int]] = {d.name: set() for _, v, at in self.slots for d in _all(v, at)}
        self.sizes = {d.name: d.size for _, v, at in self.slots for d in _all(v, at)}
        self._before: tuple[object, ...] | None = None

    def note(self, state: State) -> None:
        """Compares a position with the last one."""
        now = state.slots
        if self._before is not None and self.slots:
            for slot, var, places in self.slots:
                old, new = self._before[slot], now[slot]
                if old != new:
                    for d, i in places:
                        self.touched[d.name].add(i)
                    self._note_values(var.type, old, new)
        self._before = now

    def _note_values(self, t: n.VarT, old: object, new: object) -> None:
        domain = _domain(t)
        if domain not in self.domains or domain is None:
            return
        if isinstance(t, n.SetT) and isinstance(old, int) and isinstance(new, int):
            self.touched[domain.name].update(elements(old ^ new))
        elif isinstance(t, n.ElemT | n.OptT):
            shift = 1 if isinstance(t, n.OptT) else 0
            for code in (old, new):
                if isinstance(code, int) and code >= shift:
                    self.touched[domain.name].add(code - shift)

    def counts(self) -> dict[str, int]:
        """Returns the number of touched places, by kind."""
        return {name: len(found) for name, found in self.touched.items()}


def place_sizes(program: n.Program) -> dict[str, int]:
    """Returns the number of places of each kind on which the ruleset records anything."""
    return Places(program).sizes


def _domain(t: n.VarT) -> Domain | None:
    inner = getattr(t, "inner", t)
    return getattr(inner, "domain", None)


def _all(var: n.Var, places: tuple[tuple[Domain, int], ...]) -> set[Domain]:
    """Returns the domains that a slot can touch, of those that are on the board."""
    found = {d for d, _ in places}
    domain = _domain(var.type)
    return found if domain is None or (places and not isinstance(var.type, n.SetT)) else found | {domain}
