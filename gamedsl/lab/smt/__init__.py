"""Verification by SMT solving (z3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "SmtBudget",
    "judge_smt",
]

if TYPE_CHECKING:
    from gamedsl.lab.smt.smt_judge import SmtBudget, judge_smt
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "smt_judge": "SmtBudget judge_smt",
        },
    )
