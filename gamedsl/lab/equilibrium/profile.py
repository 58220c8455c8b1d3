"""A strategy for every seat, its value, and what a seat could gain by deviating from it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt

from gamedsl.compiler import Reals
from gamedsl.lab.base import Numbers
from gamedsl.lab.equilibrium.kernels import regret as k
from gamedsl.lab.equilibrium.sequences import SequenceForm
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Profile:
    """A behavior strategy for every seat.

    ``strategy``: float64, shape (sequences,): the probability of a sequence's last action in its information set
    (``form.forms``).
    """

    form: SequenceForm
    strategy: Reals

    @staticmethod
    def uniform(form: SequenceForm) -> Profile:
        """The profile in which every action of an information set is equally likely."""
        return Profile(form, _normalized(form, np.zeros(form.sequences)))

    @staticmethod
    def of_plans(form: SequenceForm, plan: Reals) -> Profile:
        """The profile of realization plans, or of sums of them; uniform in sets that a seat never reaches."""
        return Profile(form, _normalized(form, plan))

    @cached_property
    def plan(self) -> Reals:
        """The realization plans, shape (sequences,)."""
        plan = np.zeros(self.form.sequences)
        for seat in range(self.form.players):
            k.plans(self.form.forms, seat, self.strategy, plan)
        return plan

    @cached_property
    def values(self) -> tuple[float, ...]:
        """The utility of every seat when all keep to the profile."""
        chance = np.prod(self.plan[self.form.ends], axis=1)
        return tuple(float(v) for v in chance @ self.form.payoffs)

    @cached_property
    def best_responses(self) -> tuple[float, ...]:
        """For each seat the most that it can get while the others keep to the profile."""
        return tuple(best_response(self, seat)[0] for seat in range(self.form.players))

    @cached_property
    def gains(self) -> tuple[float, ...]:
        """For each seat the most that it can gain by deviating alone; never below zero."""
        return tuple(max(0.0, best - v) for best, v in zip(self.best_responses, self.values, strict=True))

    @property
    def nash_conv(self) -> float:
        """The sum of all gains; 0 exactly in a Nash equilibrium."""
        return sum(self.gains)

    @property
    def exploitability(self) -> float:
        """The mean gain: NashConv divided by the number of seats."""
        return self.nash_conv / self.form.players

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Bounds of the value for the first of two seats whose gains are opposed.

        The lower one is secured by its own strategy, the upper one is enforced by the other's.
        """
        whole = self.form.constant_sum
        assert self.form.is_duel and whole is not None
        return whole - self.best_responses[1], self.best_responses[0]

    def probabilities(self, number: int) -> npt.NDArray[np.float64]:
        """The strategy in a set, by its number in ``form.forms``: one probability per action."""
        first = self.form.forms.first[number]
        return self.strategy[first : first + self.form.forms.actions[number]]


def best_response(profile: Profile, seat: int) -> tuple[float, Numbers]:
    """The most that a seat can get against the others' strategies, and an action for each of its sets that attains it.

    The actions are indices, int32, in the order of ``form.forms`` (in sets that are never reached, the first
    action).
    """
    form = profile.form
    best = np.zeros(len(form.forms.first), np.int32)
    value = k.respond(form.forms, seat, profile.plan, np.zeros(form.sequences), best)
    return float(value), best[form.sets_of(seat)]


def _normalized(form: SequenceForm, total: Reals) -> Reals:
    strategy = np.ones(form.sequences)
    k.normalize(form.forms, total, strategy)
    return strategy
