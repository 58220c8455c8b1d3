"""Searches for games: random, guided by branch distance, shrunk."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.language.source import offered

__all__ = [
    "Budget",
    "CoverageGoal",
    "GoalProgram",
    "GuidedSearch",
    "Key",
    "Play",
    "PlayFindings",
    "RandomSearch",
    "Refusals",
    "SearchNode",
    "Shows",
    "Target",
    "Walker",
    "coverage_goals",
    "fault_key",
    "legal_version",
    "shrunk",
]

if TYPE_CHECKING:
    from gamedsl.lab.search.goal_programs import CoverageGoal, GoalProgram, Key, coverage_goals
    from gamedsl.lab.search.guided_search import GuidedSearch
    from gamedsl.lab.search.random_search import Budget, PlayFindings, RandomSearch, Target, fault_key
    from gamedsl.lab.search.recorded_play import Play, legal_version
    from gamedsl.lab.search.redundant_conditions import Refusals
    from gamedsl.lab.search.shrink import Shows, shrunk
    from gamedsl.lab.search.walker import SearchNode, Walker
else:
    __getattr__, __dir__ = offered(
        __name__,
        {
            "goal_programs": "CoverageGoal GoalProgram Key coverage_goals",
            "guided_search": "GuidedSearch",
            "random_search": "Budget PlayFindings RandomSearch Target fault_key",
            "recorded_play": "Play legal_version",
            "redundant_conditions": "Refusals",
            "shrink": "Shows shrunk",
            "walker": "SearchNode Walker",
        },
    )
