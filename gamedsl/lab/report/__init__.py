"""HTML reports about a ruleset."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "STATES",
    "LabFigures",
    "Report",
    "as_dot",
    "as_page",
    "as_svg",
    "can_be_shown",
    "find_openings",
    "find_puzzles",
    "make_report",
    "state_graph",
]

if TYPE_CHECKING:
    from gamedsl.lab.report.contents import Report, make_report
    from gamedsl.lab.report.lab_views import LabFigures, can_be_shown
    from gamedsl.lab.report.puzzles import find_openings, find_puzzles
    from gamedsl.lab.report.report_page import as_page
    from gamedsl.lab.report.state_graphs import STATES, as_dot, as_svg, state_graph
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "contents": "Report make_report",
            "lab_views": "LabFigures can_be_shown",
            "puzzles": "find_openings find_puzzles",
            "report_page": "as_page",
            "state_graphs": "STATES as_dot as_svg state_graph",
        },
    )
