"""About how long rules take to compile, told from their size before it is begun: compiling can't be cut short.

The seconds are those of ``benchmarks/compile_time.py`` on a processor of 2023, fitted over all shipped rulesets; a ruleset
takes half to twice as long as its size lets expect. Code that is kept on disk is not counted as such.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.core.nodes import Expr, Program
from gamedsl.core.program_walk import all_exprs, all_statements
from gamedsl.core.traverse import walk

KERNELS = 0.3  # seconds to load the compiled loops that are used on the rules


def nodes(program: Program) -> int:
    """Expressions and statements of a program, those of plies that are tried counted again."""
    return sum(1 for _ in all_exprs(program)) + sum(1 for _ in all_statements(program))


def exploring_seconds(program: Program) -> float:
    """To compile the rules without random plays."""
    return KERNELS + 0.15 + 0.8e-3 * nodes(program)


def playing_seconds(program: Program) -> float:
    """To compile the rules with random plays."""
    return KERNELS + 0.4 + 1.3e-3 * nodes(program)


def seeking_seconds(program: Program, questions: Iterable[Expr]) -> float:
    """To compile rules that note what a play meets, with questions about positions."""
    asked = sum(1 for question in questions for _ in walk(question))
    return 0.15 + 0.4e-3 * (nodes(program) + asked)
