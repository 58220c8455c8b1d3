"""Mutation testing of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "WHOLE_STATES",
    "Comparer",
    "CountedEffort",
    "Difference",
    "Mutant",
    "Mutation",
    "Overtime",
    "Played",
    "Start",
    "as_json",
    "as_text",
    "can_compile",
    "list_mutants",
    "mutation_test",
    "time_limit",
    "vocabulary",
]

if TYPE_CHECKING:
    from gamedsl.lab.mutation.campaign import Mutation, mutation_test
    from gamedsl.lab.mutation.compare import WHOLE_STATES, Comparer, Played
    from gamedsl.lab.mutation.compiled_mutants import can_compile
    from gamedsl.lab.mutation.difference import Difference
    from gamedsl.lab.mutation.effort import CountedEffort
    from gamedsl.lab.mutation.limited_time import Overtime, time_limit
    from gamedsl.lab.mutation.mutants import Mutant, list_mutants, vocabulary
    from gamedsl.lab.mutation.mutation_report import as_json, as_text
    from gamedsl.lab.mutation.plays import Start
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "campaign": "Mutation mutation_test",
            "compare": "WHOLE_STATES Comparer Played",
            "compiled_mutants": "can_compile",
            "difference": "Difference",
            "effort": "CountedEffort",
            "mutants": "Mutant list_mutants vocabulary",
            "mutation_report": "as_json as_text",
            "plays": "Start",
            "limited_time": "Overtime time_limit",
        },
    )
