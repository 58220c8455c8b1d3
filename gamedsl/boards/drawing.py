"""Boards that players draw: everything about strokes that the other rooms use."""

from __future__ import annotations

from gamedsl.boards.arrangement import Arrangement, arrange
from gamedsl.boards.checks import check_stroke
from gamedsl.boards.overlay import Border, Space
from gamedsl.boards.plan import (
    BORDERS_PER_SPACE,
    NEAR,
    SNAP,
    Condition,
    Drawing,
    Fault,
    Plan,
    Point,
    Stroke,
    StrokePlan,
    is_complete,
    plan_problems,
)
from gamedsl.boards.points import MOST_POINTS, format_points, parse_points
from gamedsl.boards.settle import settled, tidy

__all__ = [
    "BORDERS_PER_SPACE",
    "MOST_POINTS",
    "NEAR",
    "SNAP",
    "Arrangement",
    "Border",
    "Condition",
    "Drawing",
    "Fault",
    "Plan",
    "Point",
    "Space",
    "Stroke",
    "StrokePlan",
    "arrange",
    "check_stroke",
    "format_points",
    "is_complete",
    "parse_points",
    "plan_problems",
    "settled",
    "tidy",
]
