"""Line coverage of a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

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
    "replay_counting",
    "run_plays",
    "searched",
]

if TYPE_CHECKING:
    from gamedsl.lab.coverage.counts import Coverage, Line, gathered
    from gamedsl.lab.coverage.coverage_page import as_html, as_text, clause_table, coverage_view
    from gamedsl.lab.coverage.directed import MOST_WALKS, CoverageSearch, covering_nodes, replay_counting, searched
    from gamedsl.lab.coverage.instrument import InstrumentedGame
    from gamedsl.lab.coverage.runs import coverage, run_plays
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "counts": "Coverage Line gathered",
            "directed": "MOST_WALKS CoverageSearch covering_nodes replay_counting searched",
            "instrument": "InstrumentedGame",
            "coverage_page": "as_html as_text clause_table coverage_view",
            "runs": "coverage run_plays",
        },
    )
