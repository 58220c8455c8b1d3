"""Line coverage of a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.source import offered

__all__ = [
    "MOST_WALKS",
    "Coverage",
    "CoverageSearch",
    "InstrumentedGame",
    "Line",
    "as_html",
    "as_text",
    "clause_table",
    "coverage",
    "coverage_view",
    "covering_nodes",
    "gathered",
    "replayed",
    "run_plays",
    "searched",
]

if TYPE_CHECKING:
    from gamedsl.check.coverage.counts import Coverage, Line, gathered
    from gamedsl.check.coverage.directed import MOST_WALKS, CoverageSearch, covering_nodes, replayed, searched
    from gamedsl.check.coverage.instrument import InstrumentedGame
    from gamedsl.check.coverage.page import as_html, as_text, clause_table, coverage_view
    from gamedsl.check.coverage.runs import coverage, run_plays
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "counts": "Coverage Line gathered",
            "directed": "MOST_WALKS CoverageSearch covering_nodes replayed searched",
            "instrument": "InstrumentedGame",
            "page": "as_html as_text clause_table coverage_view",
            "runs": "coverage run_plays",
        },
    )
