"""The drawing board that the tests draw on: an outline, two level and two upright lines, a line that bends."""

from __future__ import annotations

from gamedsl.language.boards.drawing import Condition, Drawing, Plan, StrokePlan, parse_points

LEVEL = (
    Condition("horizontal", 45, (), ("level",)),
    Condition("apart", None, ("upper", "lower"), ("apart",)),
    Condition("new ends", None, (), ("ends",)),
)
UPRIGHT = (
    Condition("vertical", 45, (), ("upright",)),
    Condition("apart", None, ("left", "right"), ("apart",)),
    Condition("crosses once", None, ("upper", "lower"), ("once",)),
    Condition("new ends", None, (), ("ends",)),
)
BEND = (
    Condition("simple", None, (), ("bend simple",)),
    Condition("crosses", None, (), ("crosses",)),
    Condition("avoids crossings", None, (), ("avoids",)),
    Condition("new ends", None, (), ("bend ends",)),
)
FIGURE = StrokePlan("figure", "closed curve", None, (Condition("simple", None, (), ("simple",)),), ("figure",))
NINE = Plan(
    40,
    (
        FIGURE,
        StrokePlan("upper", "straight line", "figure", LEVEL, ("line",)),
        StrokePlan("lower", "straight line", "figure", LEVEL, ("line",)),
        StrokePlan("left", "straight line", "figure", UPRIGHT, ("line",)),
        StrokePlan("right", "straight line", "figure", UPRIGHT, ("line",)),
        StrokePlan("bend", "open curve", "figure", BEND, ("bend",)),
    ),
)
SQUARE = "figure 0,0 90,0 90,90 0,90; upper 0,60 90,60; lower 0,30 90,30; left 30,0 30,90; right 60,0 60,90"


def drawing(text: str) -> Drawing:
    """``figure 0,0 90,0 ...; upper ...`` as strokes."""
    strokes = (piece.split(maxsplit=1) for piece in text.split(";") if piece.strip())
    return tuple((name, parse_points(points)) for name, points in strokes)
