"""The working memory of one explorer thread."""

from __future__ import annotations

import numpy as np

from gamedsl.compiler import Context
from gamedsl.lab.base import Ints
from gamedsl.lab.explore.kernels.records import Expander, Rules, Successors
from gamedsl.lab.explore.kernels.successors import AT_ONCE, FRAMES, generate
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.resizing import longer
from gamedsl.lab.symmetry import SymmetrySteps
from gamedsl.language.source import lazy_dataclass

ROOM = 4096  # initial number of rows


@lazy_dataclass()
class Work:
    """The successors of some states (see ``successors.generate``).

    ``made`` has room for a fixed number of states at once, and grows if one state alone needs more rows.
    """

    store: NativeStore
    symmetries: SymmetrySteps
    context: Context
    rules: Rules
    frames: Ints
    made: Successors

    @staticmethod
    def of(
        store: NativeStore, symmetries: SymmetrySteps, states: int = 0, room: int = ROOM, weights: bool = False
    ) -> Work:
        """Allocates the memory for ``states`` states at once (0: as many as the inner loop takes).

        ``weights``: chance weights are wanted.
        """
        states = states or AT_ONCE
        rows = np.empty((room, store.layout.words), dtype=np.int64)
        numbers = [np.zeros(n, dtype=np.int64) for n in (room if weights else 0, room, states, states)]
        context = store.context if store.native.has_history else store.native.context()
        return Work(
            store, symmetries, context, store.rules_for(context), store.frames(FRAMES), Successors(rows, *numbers)
        )

    @property
    def expander(self) -> Expander:
        """The parameters of the compiled loop, which change whenever an array has grown."""
        return Expander(self.rules, self.symmetries, self.store.chains.record, self.frames)

    @property
    def rows(self) -> Ints:
        return self.made.rows

    @property
    def wrong(self) -> Ints:
        return self.made.wrong

    @property
    def counts(self) -> Ints:
        return self.made.counts

    @property
    def stuck(self) -> Ints:
        return self.made.stuck

    def widen(self) -> None:
        """Makes more room for the successors of one state."""
        if self.store.chains.widen():
            return
        made = self.made
        weights = longer(made.weights) if made.weights.size else made.weights
        self.made = made._replace(rows=longer(made.rows), wrong=longer(made.wrong), weights=weights)

    def generate(self, begin: int, end: int) -> tuple[int, bool]:
        """Generates the successors of the states from ``begin`` on.

        Returns the end of the states expanded (at least one) and an error flag.
        """
        end = min(end, begin + len(self.counts))
        while True:
            upto, bad = generate(self.expander, self.store.words, begin, end, self.made)
            if upto > begin or end == begin:
                return upto, bad
            self.widen()

    def generate_all(self, begin: int, end: int) -> bool:
        """Generates the successors of all of these states, which must fit. Returns the error flag."""
        while True:
            upto, bad = self.generate(begin, end)
            if upto == end:
                return bad
            self.widen()
