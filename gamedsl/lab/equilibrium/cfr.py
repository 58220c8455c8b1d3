"""Counterfactual regret minimization: the solver that holds its arrays."""

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
FEW = 20_000  # histories; among these a pass over all of them is cheap


class RegretMinimizer:
    """CFR or CFR+ with alternating updates. In duels (``SequenceForm.is_duel``) the average strategies approach an
    equilibrium; in other games nothing is promised, but ``Profile.nash_conv`` measures what was reached.

    ``order``: what is summed up. The results are equal but for rounding, which matters after hundreds of iterations (see
    ``kernels.histories``). "histories": one by one, as in the textbook; published curves agree to their last digits.
    "sequences": ends with equal sequences together, several times faster. "auto": histories if there are few."""

    def __init__(self, form: SequenceForm, variant: Variant = "cfr+", order: Order = "auto") -> None:
        self.form, self.variant, self.iterations = form, variant, 0
        by_histories = order == "histories" or (order == "auto" and len(form.tree) <= FEW)
        self._walk = walk_of(form) if by_histories else None
        n = form.sequences
        start = Profile.uniform(form)
        self.regrets = k.Regrets(np.zeros(n), start.strategy, start.plan.copy(), np.zeros(n), np.zeros(n))

    def run(self, iterations: int) -> None:
        """Runs so many further iterations. The GIL is released."""
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
