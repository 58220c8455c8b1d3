"""States turned by symmetries, and the one that stands for all that are alike."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from typing import Any, TypeAlias

from gamedsl.check.symmetry import Turn
from gamedsl.core.nodes import DecideTogether, Program, StackT, Var, VarT
from gamedsl.engine.state import Choice, State
from gamedsl.engine.unit import slot_offsets

Slots: TypeAlias = tuple[Any, ...]
Change: TypeAlias = Callable[[Any], Any]
Plan: TypeAlias = list[tuple[int, Change | None]]


class Turned:
    """A symmetry ready for states: per slot where its value comes from, and what the value becomes."""

    def __init__(self, program: Program, turn: Turn) -> None:
        self.program, self.turn = program, turn
        self._plans: dict[frozenset[int], Plan] = {}

    def state(self, state: State) -> State:
        """The turned state; the same where the symmetry has no meaning."""
        return State(state.game, state.block, *self.values(state))

    def values(self, state: State) -> tuple[Slots, tuple[Choice, ...]]:
        """The values of the turned state, and its open choices."""
        if state.block not in self.turn.stops:
            return state.slots, state.pending
        resting = self.turn.resting[state.block]
        plan = self._plans.get(resting)
        if plan is None:
            plan = self._plans[resting] = self._plan(resting)
        slots = tuple(state.slots[i] if change is None else change(state.slots[i]) for i, change in plan)
        return slots, self.pending(state.block, state.pending)

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
        """The open choices turned. (Those who choose keep their seats: see ``symmetry_core``.)"""
        end = self.program.blocks[block].end
        if not pending or not isinstance(end, DecideTogether):
            return pending
        found = []
        for mover, number, args in pending:
            params = self.program.schemas[end.alternatives[number].schema].params
            turned = tuple(self.turn.value(p.local.type, a) for p, a in zip(params, args, strict=True))
            found.append((mover, number, turned))
        return tuple(found)


def slots_moved(turn: Turn, var: Var) -> Iterator[int]:
    """Per slot of a variable the number of the slot that its value goes to."""
    moved = [turn.of(k) for k in var.keys]
    for at in product(*(range(k.size) for k in var.keys)):
        there = 0
        for domain, m, x in zip(var.keys, moved, at, strict=True):
            there = there * domain.size + m[x]
        yield there


def _change(turn: Turn, t: VarT) -> Change | None:
    """What becomes of a value of this type; None when it stays."""
    if isinstance(t, StackT):
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


def _moves(turn: Turn, t: VarT) -> bool:
    inner = getattr(t, "inner", t)
    domain = getattr(inner, "domain", None)
    return domain is not None and turn.moves(domain)


class Canonical:
    """Gives, for a state, the one that stands for it and all that are alike."""

    def __init__(self, program: Program, turns: list[Turn]) -> None:
        self.turned = [Turned(program, turn) for turn in turns]

    def likes(self, state: State) -> int:
        """How many states are alike with this one, itself among them."""
        return len({t.values(state) for t in self.turned} | {(state.slots, state.pending)})

    def __call__(self, state: State) -> State:
        best = (state.slots, state.pending)
        for t in self.turned:
            best = min(best, t.values(state))
        return State(state.game, state.block, *best)
