"""Predicts compile time from the size of the rules, because a compilation cannot be interrupted.

The constants, in seconds, are fitted over all shipped rulesets with ``benchmarks/compile_time.py`` on a processor
of 2023. Actual times lie between half and twice the prediction. The code cache on disk is ignored.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.language.core import all_exprs, all_statements, walk
from gamedsl.language.core import nodes as n

KERNELS = 0.3  # seconds to load the compiled kernels that run the rules


def nodes(program: n.Program) -> int:
    """Counts the expressions and statements of a program, including those of lookahead plies."""
    return sum(1 for _ in all_exprs(program)) + sum(1 for _ in all_statements(program))


def exploring_seconds(program: n.Program) -> float:
    """Predicts the seconds to compile the rules without playouts."""
    return KERNELS + 0.15 + 0.8e-3 * nodes(program)


def playing_seconds(program: n.Program) -> float:
    """Predicts the seconds to compile the rules with playouts."""
    return KERNELS + 0.4 + 1.3e-3 * nodes(program)


def baseline_seconds(program: n.Program) -> float:
    """Predicts the seconds to compile playouts to baseline code, which runs slower (see ``compiler.CountedPlays``)."""
    return 0.1 + 0.15e-3 * nodes(program)


def seeking_seconds(program: n.Program, questions: Iterable[n.Expr]) -> float:
    """Predicts the seconds to compile instrumented rules with questions about positions."""
    asked = sum(1 for question in questions for _ in walk(question))
    return 0.15 + 0.4e-3 * (nodes(program) + asked)
