"""Boards that players draw: strokes, their checks, and the arrangements they form."""

from __future__ import annotations

from gamedsl.language.boards.drawing.arrangement import Arrangement, arrange
from gamedsl.language.boards.drawing.messages import DRAWING_MESSAGES
from gamedsl.language.boards.drawing.overlay import Border, Space
from gamedsl.language.boards.drawing.point_text import MOST_POINTS, format_points, parse_points
from gamedsl.language.boards.drawing.snap_path import snapped_paths, tidy
from gamedsl.language.boards.drawing.stroke_checks import check_stroke
from gamedsl.language.boards.plan import (
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

__all__ = [
    "BORDERS_PER_SPACE",
    "DRAWING_MESSAGES",
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
    "snapped_paths",
    "tidy",
]
