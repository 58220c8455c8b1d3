"""Counterfactual regret minimization: the solver that owns the arrays."""

from __future__ import annotations

from typing import Literal

import numpy as np

from gamedsl.lab.equilibrium.kernels import regret as k
from gamedsl.lab.equilibrium.kernels.history_kernel import iterate_histories
from gamedsl.lab.equilibrium.profile import Profile
from gamedsl.lab.equilibrium.sequences import SequenceForm
from gamedsl.lab.equilibrium.walk import walk_of

Variant = Literal["cfr", "cfr+"]
Order = Literal["auto", "histories", "sequences"]
FEW = 20_000  # histories, up to which a pass over all of them is cheap


class RegretMinimizer:
    """CFR or CFR+ with alternating updates.

    In duels (``SequenceForm.is_duel``) the average strategies approach an equilibrium; in other games nothing is
    guaranteed, but ``Profile.nash_conv`` measures the result.

    ``order``: how utilities are summed. The results are equal except for rounding, which matters after hundreds of
    iterations (see ``kernels.history_kernel``). "histories": one by one, as in the textbook; published curves agree
    to their last digits. "sequences": ends with equal sequences together, several times as fast. "auto": by
    histories if there are few.
    """

    def __init__(self, form: SequenceForm, variant: Variant = "cfr+", order: Order = "auto") -> None:
        self.form, self.variant, self.iterations = form, variant, 0
        by_histories = order == "histories" or (order == "auto" and len(form.tree) <= FEW)
        self._walk = walk_of(form) if by_histories else None
        n = form.sequences
        start = Profile.uniform(form)
        self.regrets = k.Regrets(np.zeros(n), start.strategy, start.plan.copy(), np.zeros(n), np.zeros(n))

    def run(self, iterations: int) -> None:
        """Runs this many further iterations. Releases the GIL."""
        begin = self.iterations + 1
        run = self.form.forms, self.regrets, begin, begin + iterations, self.variant == "cfr+"
        if self._walk is None:
            k.iterate(*run)
        else:
            iterate_histories(self._walk, *run)
        self.iterations += iterations

    @property
    def average(self) -> Profile:
        """The average strategies so far; CFR+ weights iteration t by t."""
        return Profile.of_plans(self.form, self.regrets.total)

    @property
    def current(self) -> Profile:
        """The strategies of the next iteration."""
        return Profile(self.form, self.regrets.strategy.copy())
