"""The memory that one thread of the explorer works with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gamedsl.check.base.arrays import Ints
from gamedsl.check.explore.compiled import NativeStore, longer

if TYPE_CHECKING:
    from gamedsl.check.symmetry.compiled import Steps
    from gamedsl.native.host.context import Context

ROOM = 4096  # rows at first


@dataclass
class Work:
    """The ways on from some states: see ``kernel.generate``. At most ``states`` of them at once; ``rows`` get more
    room when one state alone needs it."""

    store: NativeStore
    steps: Steps
    context: Context
    frames: Ints
    rows: Ints
    weights: Ints
    wrong: Ints
    ways: Ints
    stuck: Ints

    @staticmethod
    def of(store: NativeStore, steps: Steps, states: int = 0, room: int = ROOM, weights: bool = False) -> Work:
        """``states`` 0: as many as the inner loop takes at once. ``weights``: those of chance are wanted."""
        from gamedsl.check.explore.kernel import AT_ONCE, FRAMES

        states = states or AT_ONCE
        rows = np.empty((room, store.layout.words), dtype=np.int64)
        numbers = [np.zeros(n, dtype=np.int64) for n in (room if weights else 0, room, states, states)]
        context = store.context if store.native.has_history else store.native.context()
        return Work(store, steps, context, store.frames(FRAMES), rows, *numbers)

    def widen(self) -> None:
        """More room for what follows on one state."""
        if self.store.chains.widen():
            return
        self.rows, self.wrong = longer(self.rows), longer(self.wrong)
        self.weights = longer(self.weights) if self.weights.size else self.weights

    def generate(self, begin: int, end: int) -> tuple[int, bool]:
        """Fills in the ways on from state ``begin`` on: up to which it came, at least one, and whether rules went wrong."""
        from gamedsl.check.explore.kernel import generate

        end = min(end, begin + len(self.ways))
        while True:
            upto, bad = generate(
                self.store.entries, self.context.pointer, self.store.stops, self.store.words, self.frames,
                self.steps.steps, self.steps.starts, self.steps.maps, begin, end,
                self.rows, self.weights, self.wrong, self.ways, self.stuck,
                self.store.chains.table, self.store.chains.kept, self.store.chains.handles,
            )  # fmt: skip
            if upto > begin or end == begin:
                return upto, bad
            self.widen()

    def generate_all(self, begin: int, end: int) -> bool:
        """The same for all of these states, at most as many as there is room for; whether rules went wrong."""
        while True:
            upto, bad = self.generate(begin, end)
            if upto == end:
                return bad
            self.widen()
