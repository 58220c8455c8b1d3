"""States turned by symmetries, and the one that stands for all that are alike."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any

from gamedsl.check.symmetry import Turn
from gamedsl.core.nodes import DecideTogether, Program, StackT, VarT
from gamedsl.engine.state import Choice, State
from gamedsl.engine.unit import slot_offsets

Slots = tuple[Any, ...]


class Turned:
    """A symmetry ready for states: per slot where its value comes from, and what the value becomes."""

    def __init__(self, program: Program, turn: Turn) -> None:
        self.program, self.turn = program, turn
        self.sources = list(range(slot_offsets(program.variables)[-1]))
        self.changes: list[Callable[[Any], Any] | None] = [None] * len(self.sources)
        offsets = slot_offsets(program.variables)
        for var in program.variables:
            moved = [turn.of(k) for k in var.keys]
            change = _change(turn, var.type)
            for at in product(*(range(k.size) for k in var.keys)):
                here = there = 0
                for domain, m, x in zip(var.keys, moved, at, strict=True):
                    here = here * domain.size + x
                    there = there * domain.size + m[x]
                self.sources[offsets[var.index] + there] = offsets[var.index] + here
                self.changes[offsets[var.index] + there] = change

    def slots(self, slots: Slots) -> Slots:
        return tuple(
            slots[i] if change is None else change(slots[i])
            for i, change in zip(self.sources, self.changes, strict=True)
        )

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


def _change(turn: Turn, t: VarT) -> Callable[[Any], Any] | None:
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
        found = {(t.slots(state.slots), t.pending(state.block, state.pending)) for t in self.turned}
        return len(found | {(state.slots, state.pending)})

    def __call__(self, state: State) -> State:
        best = (state.slots, state.pending)
        for t in self.turned:
            other = (t.slots(state.slots), t.pending(state.block, state.pending))
            best = min(best, other)
        return State(state.game, state.block, *best)
