"""Predicts compile time from the size of the rules, because a compilation can't be interrupted.

Seconds are fitted over all shipped rulesets to ``benchmarks/compile_time.py`` on a processor of 2023. Actual
times lie between half and twice the prediction. The code cache on disk is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.core import all_exprs, all_statements, walk
from gamedsl.language.core import nodes as n

KERNELS = 0.3  # seconds to load the compiled kernels that run on the rules


def nodes(program: n.Program) -> int:
    """Counts the expressions and statements of a program; those of lookahead plies count again."""
    return sum(1 for _ in all_exprs(program)) + sum(1 for _ in all_statements(program))


def exploring_seconds(program: n.Program) -> float:
    """Predicts compiling the rules without random plays."""
    return KERNELS + 0.15 + 0.8e-3 * nodes(program)


def playing_seconds(program: n.Program) -> float:
    """Predicts compiling the rules with random plays."""
    return KERNELS + 0.4 + 1.3e-3 * nodes(program)


def baseline_seconds(program: n.Program) -> float:
    """Predicts compiling random plays to baseline code, which is slower (see ``native.CountedPlays``)."""
    return 0.1 + 0.15e-3 * nodes(program)


def seeking_seconds(program: n.Program, questions: Iterable[n.Expr]) -> float:
    """Predicts compiling instrumented rules with questions about positions."""
    asked = sum(1 for question in questions for _ in walk(question))
    return 0.15 + 0.4e-3 * (nodes(program) + asked)
