"""Counterfactual regret minimization and best responses over the sequence form.

M. Zinkevich, M. Johanson, M. Bowling and C. Piccione, "Regret Minimization in Games with Incomplete Information",
NIPS 2007; CFR+: O. Tammelin, N. Burch, M. Johanson and M. Bowling, "Solving Heads-up Limit Texas Hold'em", IJCAI
2015.

Counterfactual values of a seat are sums over its sequences: the gradient of its utility, given the others' plans.
They are summed from the last information sets to the first, as in the tree.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from gamedsl.compiler import Reals, kernel
from gamedsl.lab.equilibrium.sequences import Forms


class Regrets(NamedTuple):
    """The arrays of a solver, float64, shape (sequences,).

    ``regret``: cumulative; ``strategy``: current, the probability of an action in its set; ``plan``: the current
    plans; ``total``: the weighted sum of plans; ``gradient``: scratch.
    """

    regret: Reals
    strategy: Reals
    plan: Reals
    total: Reals
    gradient: Reals


@kernel
def gradient(forms: Forms, seat: Any, plan: Reals, out: Reals) -> None:
    """Writes the utility of each sequence of a seat, given the plans of the others."""
    row, payoff, others = forms.row, forms.payoff, forms.others
    begin, end = forms.sequence_first[seat], forms.sequence_first[seat + 1]
    if others.shape[0] == 1:
        for s in range(begin, end):
            worth = 0.0
            for k in range(row[s], row[s + 1]):
                worth += payoff[k] * plan[others[0, k]]
            out[s] = worth
        return
    for s in range(begin, end):
        worth = 0.0
        for k in range(row[s], row[s + 1]):
            part = payoff[k]
            for j in range(others.shape[0]):
                part *= plan[others[j, k]]
            worth += part
        out[s] = worth


@kernel
def plans(forms: Forms, seat: Any, strategy: Reals, plan: Reals) -> None:
    """Writes a seat's realization plan for a behavior strategy."""
    first, actions, parent = forms.first, forms.actions, forms.parent
    plan[forms.sequence_first[seat]] = 1.0
    for i in range(forms.set_first[seat], forms.set_first[seat + 1]):
        before = plan[parent[i]]
        for s in range(first[i], first[i] + actions[i]):
            plan[s] = before * strategy[s]


@kernel
def respond(forms: Forms, seat: Any, plan: Reals, out: Reals, best: Any) -> Any:
    """Returns the most that a seat can get against the others' plans.

    ``best``: int32, shape (sets,): receives the index of the best action of each of its sets.
    """
    first, actions, parent = forms.first, forms.actions, forms.parent
    gradient(forms, seat, plan, out)
    for i in range(forms.set_first[seat + 1] - 1, forms.set_first[seat] - 1, -1):
        at = first[i]
        for s in range(first[i] + 1, first[i] + actions[i]):
            if out[s] > out[at]:
                at = s
        best[i] = at - first[i]
        out[parent[i]] += out[at]
    return out[forms.sequence_first[seat]]


@kernel
def normalize(forms: Forms, total: Reals, strategy: Reals) -> None:
    """Writes the behavior strategy of summed plans; uniform in sets that a seat never reaches."""
    first, actions = forms.first, forms.actions
    for i in range(first.shape[0]):
        whole = 0.0
        for s in range(first[i], first[i] + actions[i]):
            whole += total[s]
        for s in range(first[i], first[i] + actions[i]):
            strategy[s] = total[s] / whole if whole > 0 else 1.0 / actions[i]


@kernel
def update(forms: Forms, seat: Any, regrets: Regrets, is_plus: Any) -> None:
    """Adds the counterfactual regrets of a seat (CFR+: regrets never fall below zero)."""
    first, actions, parent = forms.first, forms.actions, forms.parent
    regret, strategy, out = regrets.regret, regrets.strategy, regrets.gradient
    for i in range(forms.set_first[seat + 1] - 1, forms.set_first[seat] - 1, -1):
        begin, end = first[i], first[i] + actions[i]
        value = 0.0
        for s in range(begin, end):
            value += strategy[s] * out[s]
        for s in range(begin, end):
            found = regret[s] + out[s] - value
            regret[s] = 0.0 if is_plus and found < 0.0 else found
        out[parent[i]] += value


@kernel
def match(forms: Forms, seat: Any, regrets: Regrets) -> None:
    """Regret matching: makes a seat's next strategy proportional to its positive regrets, and writes its plan."""
    first, actions, parent = forms.first, forms.actions, forms.parent
    regret, strategy, plan = regrets.regret, regrets.strategy, regrets.plan
    for i in range(forms.set_first[seat], forms.set_first[seat + 1]):
        begin, end = first[i], first[i] + actions[i]
        whole, before = 0.0, plan[parent[i]]
        for s in range(begin, end):
            whole += max(0.0, regret[s])
        for s in range(begin, end):
            strategy[s] = max(0.0, regret[s]) / whole if whole > 0.0 else 1.0 / actions[i]
            plan[s] = before * strategy[s]


@kernel
def iterate(forms: Forms, regrets: Regrets, begin: Any, end: Any, is_plus: Any) -> None:
    """Runs the iterations from ``begin`` (the first is 1) to before ``end``.

    The seats are updated one after the other; each already sees the new strategies of those before it. CFR+ weights
    the plan of iteration t by t.
    """
    for t in range(begin, end):
        weight = float(t) if is_plus else 1.0
        for seat in range(forms.set_first.shape[0] - 1):
            gradient(forms, seat, regrets.plan, regrets.gradient)
            for s in range(forms.sequence_first[seat], forms.sequence_first[seat + 1]):
                regrets.total[s] += weight * regrets.plan[s]
            update(forms, seat, regrets, is_plus)
            match(forms, seat, regrets)
