"""Solves a two-player game with opposed gains by the linear program of its sequence form.

D. Koller, N. Megiddo and B. von Stengel, "Fast Algorithms for Finding Randomized Strategies in Game Trees", STOC
1994.

The first seat's plan x maximizes its utility against the other seat's best response. The value of that response at
each information set is a variable, which is bounded by the value to which each action leads. The dual solution is
the other seat's plan.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gamedsl.lab.base import Clock, Ints, Numbers
from gamedsl.lab.equilibrium.profile import Profile
from gamedsl.lab.equilibrium.sequences import SequenceForm
from gamedsl.language.source import NOWHERE, Diagnostic, ExitCode, GameDSLError, UsageError, missing_library

# The interior-point method, followed by a crossover to a vertex; and the simplex method, if the first meets numerical
# trouble. The simplex method alone stalls on degenerate programs, and those of hidden moves are very degenerate.
SOLVERS = ("highs-ipm", "highs-ds")
TIME_IS_OVER = 1  # a status code of SciPy


def solve_linear_program(form: SequenceForm, seconds: float | None = None) -> Profile:
    """An equilibrium, as exact as the solver's tolerances allow (``Profile.value_bounds`` measures how exact).

    Raises ``UsageError`` if the game is not a duel, if SciPy is not installed, or if the solver gives up;
    ``GameDSLError`` (E0526) if it is not done within ``seconds``.
    """
    clock = Clock().within(seconds)
    if not form.is_duel:
        raise UsageError("the linear program needs two players whose results always have the same sum")
    linprog, coo = _solver()
    own, sets = int(form.forms.sequence_first[1]), form.sets_of(1)
    values = sets.stop - sets.start
    rows, columns, entries, goal = _responses(form)
    mine = form.sets_of(0)
    plans = _plans(form.forms.first[mine], form.forms.actions[mine], form.forms.parent[mine])
    size = own + values
    program = {
        "A_ub": coo((entries, (rows, columns)), shape=(form.sequences - own - 1, size)).tocsr(),
        "b_ub": np.zeros(form.sequences - own - 1),
        "A_eq": coo((plans[2], (plans[0], plans[1])), shape=(1 + mine.stop, size)).tocsr(),
        "b_eq": np.concatenate([[1.0], np.zeros(mine.stop)]),
        "bounds": np.array([(0, np.inf)] * own + [(-np.inf, np.inf)] * values),
    }
    for method in SOLVERS:
        if clock.is_over:
            raise _unsolved(seconds)
        found = linprog(-goal, **program, method=method, options={"time_limit": clock.left})
        if found.status == 0:
            break
        if found.status == TIME_IS_OVER:
            raise _unsolved(seconds)
    else:
        raise UsageError(f"the linear program was not solved: {found.message}", help="use `--method cfr+`")
    plan = np.concatenate([found.x[:own], [1.0], -found.ineqlin.marginals])
    return Profile.of_plans(form, np.maximum(plan, 0.0))


def _unsolved(seconds: float | None) -> GameDSLError:
    why = (
        f"the linear program was not solved within {seconds:,.0f} seconds"
        if seconds
        else "there was no time to solve it"
    )
    help = "allow more with `--time`, or use `--method cfr+`, which shows at any time how close it is"
    return GameDSLError(Diagnostic("E0526", why, NOWHERE, help=help), exit_code=ExitCode.BOUND)


def _solver() -> tuple[Any, Any]:
    try:
        from scipy.optimize import linprog  # type: ignore[import-untyped,unused-ignore]
        from scipy.sparse import coo_matrix  # type: ignore[import-untyped,unused-ignore]
    except ImportError as error:
        raise (missing_library(error) or error) from None
    return linprog, coo_matrix


def _responses(form: SequenceForm) -> tuple[Ints, Ints, Numbers, Numbers]:
    """The constraints of the other seat's response, as rows, columns and entries, and the goal.

    For each sequence of that seat, the value of its set, minus the utilities at its ends and the values of the sets
    that follow it, is at most 0. The goal is the same sum for the empty sequence, with the sign reversed.
    """
    forms, own, sets = form.forms, int(form.forms.sequence_first[1]), form.sets_of(1)
    numbers = np.arange(sets.stop - sets.start)
    actions, parent = forms.actions[sets], forms.parent[sets] - own
    set_of = np.repeat(numbers, actions)
    at = form.ends[:, 1] - own
    sequences = np.concatenate([1 + np.arange(len(set_of)), parent, at])
    columns = np.concatenate([own + set_of, own + numbers, form.ends[:, 0]])
    entries = np.concatenate([np.ones(len(set_of)), -np.ones(len(numbers)), -form.payoffs[:, 0]])
    first = sequences == 0
    goal = np.zeros(own + len(numbers))
    np.add.at(goal, columns[first], -entries[first])
    return sequences[~first] - 1, columns[~first], entries[~first], goal


def _plans(first: Numbers, actions: Numbers, parent: Numbers) -> tuple[Ints, Ints, Numbers]:
    """The constraints of the first seat's plan, as rows, columns and entries.

    The plan of the empty sequence is 1; in each set the plans add up to that of the preceding sequence.
    """
    numbers = 1 + np.arange(len(first))
    own = np.concatenate([f + np.arange(n) for f, n in zip(first, actions, strict=True)]) if len(first) else first
    rows = np.concatenate([[0], np.repeat(numbers, actions), numbers])
    columns = np.concatenate([[0], own, parent])
    entries = np.concatenate([[1.0], np.ones(len(own)), -np.ones(len(first))])
    return rows.astype(np.int64), columns.astype(np.int64), entries
