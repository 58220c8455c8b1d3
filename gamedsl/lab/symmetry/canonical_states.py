"""Applies symmetries to states, and selects the representative of an orbit."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeAlias

from gamedsl.engine import Choice, State, slot_offsets
from gamedsl.lab.symmetry.symmetries import Symmetry, closed
from gamedsl.language.core import nodes as n

Slots: TypeAlias = tuple[Any, ...]
Change: TypeAlias = Callable[[Any], Any]
Plan: TypeAlias = list[tuple[int, Change | None]]


class SymmetryAction:
    """A symmetry prepared for states: the source of each slot, and the mapping of its value."""

    def __init__(self, program: n.Program, turn: Symmetry) -> None:
        self.program, self.turn = program, turn
        self._plans: dict[frozenset[int], Plan] = {}

    def state(self, state: State) -> State:
        """Returns the image of a state; the state itself if the symmetry is not valid there."""
        return state.game.make_state(state.block, *self.values(state))

    def values(self, state: State) -> tuple[Slots, tuple[Choice, ...]]:
        """Returns the image's values and open choices."""
        if state.block not in self.turn.stops:
            return state.slots, state.pending
        slots = tuple(
            state.slots[i] if change is None else change(state.slots[i]) for i, change in self.plan(state.block)
        )
        return slots, self.pending(state.block, state.pending)

    def plan(self, block: int) -> Plan:
        """Returns for each slot its source and the mapping of its value, for states at the end of a block."""
        resting = self.turn.resting[block]
        if resting not in self._plans:
            self._plans[resting] = self._plan(resting)
        return self._plans[resting]

    def _plan(self, resting: frozenset[int]) -> Plan:
        offsets = slot_offsets(self.program.variables)
        plan: list[tuple[int, Change | None]] = [(i, None) for i in range(offsets[-1])]
        for var in self.program.variables:
            if var.index in resting:
                continue
            change, there = _change(self.turn, var.type), offsets[self.turn.variables[var.index]]
            for slot, other in enumerate(slots_moved(self.turn, var)):
                plan[there + other] = offsets[var.index] + slot, change
        return plan

    def pending(self, block: int, pending: tuple[Choice, ...]) -> tuple[Choice, ...]:
        """Returns the image of the open choices. Choosers keep their seats (see ``core_terms``)."""
        end = self.program.blocks[block].end
        if not pending or not isinstance(end, n.DecideTogether):
            return pending
        found = []
        for mover, number, args in pending:
            params = self.program.schemas[end.alternatives[number].schema].params
            turned = tuple(self.turn.value(p.local.type, a) for p, a in zip(params, args, strict=True))
            found.append((mover, number, turned))
        return tuple(found)


def slots_moved(turn: Symmetry, var: n.Var) -> Iterator[int]:
    """Yields for each slot of a variable the slot to which its value moves."""
    moved = [turn.of(k) for k in var.keys]
    for at in product(*(range(k.size) for k in var.keys)):
        there = 0
        for domain, m, x in zip(var.keys, moved, at, strict=True):
            there = there * domain.size + m[x]
        yield there


def _change(turn: Symmetry, t: n.VarT) -> Change | None:
    """Returns the mapping of a value of this type; None for the identity."""
    if isinstance(t, n.StackT):
        inner = _change(turn, t.inner)
        return None if inner is None else lambda stack: tuple(inner(x) for x in stack)
    known: dict[int, int] = {}

    def change(code: int) -> int:
        found = known.get(code)
        if found is None:
            found = known[code] = turn.value(t, code)
            if len(known) > 1 << 16:
                known.clear()
        return found

    return change if _moves(turn, t) else None


def _moves(turn: Symmetry, t: n.VarT) -> bool:
    inner = getattr(t, "inner", t)
    domain = getattr(inner, "domain", None)
    return domain is not None and turn.moves(domain)


class Canonicalizer:
    """Maps a state to the representative of its orbit."""

    def __init__(self, program: n.Program, turns: list[Symmetry]) -> None:
        self.turned = [SymmetryAction(program, turn) for turn in turns]
        self._images: dict[int, _Images] = {}

    def _at(self, block: int) -> _Images:
        if block not in self._images:
            self._images[block] = _Images([t for t in self.turned if block in t.turn.stops], block)
        return self._images[block]

    def is_group_at(self, block: int) -> bool:
        """Whether the symmetries that are valid at the end of a block form a group."""
        return self._at(block).are_group

    def likes(self, state: State) -> int:
        """Returns the size of a state's orbit."""
        if state.pending:
            return len({t.values(state) for t in self.turned} | {(state.slots, state.pending)})
        return self._at(state.block).count(state.slots)

    def __call__(self, state: State) -> State:
        least = self._at(state.block).least(state.slots)
        asked = least if state.pending else least[:1]
        return state.game.make_state(state.block, *min(_values(t, state) for t in asked))


def _values(turned: SymmetryAction | None, state: State) -> tuple[Slots, tuple[Choice, ...]]:
    return (state.slots, state.pending) if turned is None else turned.values(state)


class _Images:
    """The images of states at the end of a block, computed slot by slot, since most symmetries are eliminated at the
    first slot.

    The state itself is one more image (None).
    """

    def __init__(self, turned: list[SymmetryAction], block: int) -> None:
        self.turned: list[SymmetryAction | None] = [None, *turned]
        self.are_group = closed([t.turn for t in turned])
        plans = [t.plan(block) for t in turned]
        same: Plan = [(i, None) for i in range(len(plans[0]))] if plans else []
        columns = zip(same, *plans, strict=True)
        # for each slot that any of them changes: each image's value there
        self.columns = [column for column in columns if any(place != column[0] for place in column)]

    def least(self, slots: Slots) -> list[SymmetryAction | None]:
        """Returns the symmetries with the lexicographically least image."""
        alive = list(range(len(self.turned)))
        for column in self.columns:
            if len(alive) == 1:
                break
            values = [_read(slots, column[k]) for k in alive]
            best = min(values)
            alive = [k for k, value in zip(alive, values, strict=True) if value == best]
        return [self.turned[k] for k in alive]

    def count(self, slots: Slots) -> int:
        """Returns the number of distinct images."""
        if not self.are_group:
            return len({tuple(_read(slots, column[k]) for column in self.columns) for k in range(len(self.turned))})
        same = list(
            range(len(self.turned))
        )  # the symmetries that fix the state; dividing by their number gives the number of images
        for column in self.columns:
            own = _read(slots, column[0])
            same = [k for k in same if _read(slots, column[k]) == own]
        return len(self.turned) // len(same)


def _read(slots: Slots, place: tuple[int, Change | None]) -> Any:
    at, change = place
    return slots[at] if change is None else change(slots[at])
