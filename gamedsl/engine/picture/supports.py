"""What makes a condition true in a position: minimal sets of things on the board that suffice for it.

For every case of the condition that holds (``language/core/cases.py``), pieces are taken off the board one by one as
long as the case still holds. The rest is a support: three in a row, a path from side to side, a ring. The literature
calls it a prime implicant, or a sufficient reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import field
from typing import TYPE_CHECKING, Literal, TypeAlias

from gamedsl.engine import NotKnown, State, bindings, codes_of, evaluate_at
from gamedsl.engine.picture.picture import Place
from gamedsl.language.boards import elements
from gamedsl.language.core import cases_of, deciding_conditions, variables_read
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine import PartEnd

Support: TypeAlias = tuple[Place, ...]

MOST_TESTS = 20_000  # evaluations for one condition


@lazy_dataclass(frozen=True)
class Standing:
    """Something on a place: a member of a set in a slot, the value of a slot keyed by places, or the place that a slot
    names. The last cannot be taken away, but could be on any of ``size`` places."""

    kind: Literal["member", "held", "named"]
    slot: int
    place: Place
    size: int = 0


def supports_of_end(end: PartEnd, places: Iterable[str]) -> tuple[Support, ...]:
    """The supports of the conditions that decided a part, if somebody won it other than by points. ``places``: the
    domains that are drawn."""
    last, found = end.last, dict[Support, None]()
    match last.terminator:
        case n.End(scores=scores) if scores:
            return ()
    for condition in deciding_conditions(last.game.program, last.block) if end.winners else ():
        found |= dict.fromkeys(supports(last, condition, tuple(places)))
    return tuple(found)


def supports(state: State, condition: n.Expr, places: tuple[str, ...]) -> tuple[Support, ...]:
    """The supports of a condition: one for every way in which it holds because of something on the board. The search
    stops at anything hidden from the observer of this state."""
    search, found = Search(state), dict[Support, None]()
    with suppress(NotKnown, GameDSLError):
        for case in cases_of(state.game.program, condition):
            standing = list(_standing(state, case.condition, places))
            for known in bindings(state, case.binders, {}):
                if search.holds(case.condition, known):
                    found[search.smallest(case.condition, known, standing)] = None
    return _least(found)


def smallest_support(state: State, condition: n.Expr, known: Mapping[int, int], places: tuple[str, ...]) -> Support:
    """The support of a condition that holds with these values of its names."""
    return Search(state).smallest(condition, known, list(_standing(state, condition, places)))


def _least(found: Iterable[Support]) -> tuple[Support, ...]:
    """The supports that contain no other."""
    sets = {support: set(support) for support in found if support}
    return tuple(s for s, of_s in sets.items() if not any(of_t < of_s for of_t in sets.values()))


def _standing(state: State, condition: n.Expr, places: tuple[str, ...]) -> Iterator[Standing]:
    """The things on the places that are drawn, in variables that the condition reads."""
    program = state.game.program
    for index in sorted(variables_read(program, condition)):
        var = program.variables[index]
        if var.role in ("piece", "state"):
            yield from _of_variable(state, var, places)


def _of_variable(state: State, var: n.Var, places: tuple[str, ...]) -> Iterator[Standing]:
    first = state.game.code.offsets[var.index]
    for i, value in enumerate(codes_of(state, var)):
        if not isinstance(value, int):
            continue
        match var.type:
            case n.SetT(domain) if domain.name in places:
                yield from (Standing("member", first + i, (domain.name, k)) for k in elements(value))
            case n.ElemT(domain) if domain.name in places:
                yield Standing("named", first + i, (domain.name, value), domain.size)
            case n.OptT(n.ElemT(domain)) if domain.name in places and value:
                yield Standing("held", first + i, (domain.name, value - 1))
            case n.OptT() | n.BoolT() if var.keys and var.keys[-1].name in places and value:
                yield Standing("held", first + i, (var.keys[-1].name, i % var.keys[-1].size))


@lazy_dataclass()
class Search:
    """Evaluates conditions in positions that differ from a state only in the things on the board."""

    state: State
    slots: list[int] = field(init=False)
    left: int = MOST_TESTS

    def __post_init__(self) -> None:
        self.slots = list(self.state.slots)

    def holds(self, condition: n.Expr, known: Mapping[int, int]) -> bool:
        self.left -= 1
        if self.left < 0:
            return False
        with suppress(GameDSLError):
            return bool(evaluate_at(self.state.game.make_state(self.state.block, tuple(self.slots)), condition, known))
        return False

    def smallest(self, condition: n.Expr, known: Mapping[int, int], standing: list[Standing]) -> Support:
        """The places that are left when everything not needed is taken away. Empty if nothing is needed, or everything
        is, or it takes too many tests. If something taken away does harm when it comes back (all pieces of a player
        have to be connected), everything in the same slots is needed."""
        needed = [one for one in standing if self._is_needed(one, condition, known)]
        slots = {one.slot for one in needed}
        if any(self._does_harm(one, condition, known) for one in standing if one not in needed):
            needed = [one for one in standing if one.slot in slots]
        self.slots = list(self.state.slots)
        places = {one.place for one in needed}
        is_all = len(places) > 1 and places == {one.place for one in standing}
        return () if is_all or self.left < 0 else tuple(sorted(places))

    def _is_needed(self, one: Standing, condition: n.Expr, known: Mapping[int, int]) -> bool:
        """Takes something away, unless the condition then fails."""
        before = self.slots[one.slot]
        for value in range(one.size) if one.kind == "named" else (_without(one, before),):
            self.slots[one.slot] = value
            if not self.holds(condition, known):
                self.slots[one.slot] = before
                return True
        self.slots[one.slot] = before if one.kind == "named" else self.slots[one.slot]
        return False

    def _does_harm(self, one: Standing, condition: n.Expr, known: Mapping[int, int]) -> bool:
        """Whether the condition fails when this comes back alone."""
        before, full = self.slots[one.slot], self.state.slots[one.slot]
        assert isinstance(full, int)
        self.slots[one.slot] = before | 1 << one.place[1] if one.kind == "member" else full
        fails = not self.holds(condition, known)
        self.slots[one.slot] = before
        return fails


def _without(one: Standing, value: int) -> int:
    return value & ~(1 << one.place[1]) if one.kind == "member" else 0
