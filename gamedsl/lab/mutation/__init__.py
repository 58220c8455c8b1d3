"""Mutation testing of examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Mutation",
    "as_json",
    "as_text",
    "mutation_test",
]

if TYPE_CHECKING:
    from gamedsl.lab.mutation.campaign import Mutation, mutation_test
    from gamedsl.lab.mutation.mutation_report import as_json, as_text
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "campaign": "Mutation mutation_test",
            "mutation_report": "as_json as_text",
        },
    )
