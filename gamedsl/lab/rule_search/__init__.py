"""Searches the variants of a game for good ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = ["RuleSearch", "SearchPlan", "archive_files", "as_row", "read_space"]

if TYPE_CHECKING:
    from gamedsl.lab.rule_search.rule_search import RuleSearch, SearchPlan
    from gamedsl.lab.rule_search.rule_space import read_space
    from gamedsl.lab.rule_search.variant_files import archive_files, as_row
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "rule_search": "RuleSearch SearchPlan",
            "rule_space": "read_space",
            "variant_files": "archive_files as_row",
        },
    )
