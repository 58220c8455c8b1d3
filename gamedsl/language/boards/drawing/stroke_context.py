"""A stroke being checked, together with the strokes already drawn."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cached_property

from gamedsl.language.boards.drawing.geometry import Box, Path, Segment, box_of, segments, size_of
from gamedsl.language.boards.drawing.messages import message_of
from gamedsl.language.boards.plan import NEAR, Condition, Drawing, Fault, Plan, Point, StrokePlan
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class StrokeContext:
    """A stroke: ``points`` as given (a closed curve's first point once), ``path`` as snapped, ``drawn`` the earlier
    paths.
    """

    plan: Plan
    stroke: StrokePlan
    points: tuple[Point, ...]
    path: Path
    drawing: Drawing
    drawn: Mapping[str, Path]

    @property
    def figure(self) -> Path | None:
        """The outline that the stroke goes across."""
        return self.drawn.get(self.stroke.across) if self.stroke.across else None

    @property
    def figure_name(self) -> str:
        return self.stroke.across or ""

    @cached_property
    def clearance(self) -> Fraction:
        """The distance up to which two points or lines count as too close."""
        return NEAR * size_of(self.figure or self.path)

    @cached_property
    def clearance2(self) -> Fraction:
        return self.clearance * self.clearance

    @cached_property
    def boxed(self) -> list[tuple[Segment, Box]]:
        """The path's segments, each with a bounding box enlarged by the clearance."""
        return boxed(self.path, float(self.clearance))

    def others(self) -> list[tuple[StrokePlan, Path]]:
        """Returns the earlier strokes, except the outline that this one goes across."""
        found = ((self.plan.stroke(name), path) for name, path in self.drawn.items() if name != self.stroke.across)
        return [(stroke, path) for stroke, path in found if stroke is not None]

    def fault(self, code: str, condition: Condition | None = None, at: Point | None = None, **names: object) -> Fault:
        """Returns a fault with its message; its clauses and place are those of the condition, otherwise of the stroke."""
        clauses = condition.clauses if condition is not None and condition.clauses else self.stroke.clauses
        span = self.stroke.span if condition is None else condition.span
        if at is not None:
            names["at"] = place(at)
        return Fault(code, message_of(code, **names), clauses, condition, span, at)


def boxed(path: Path, margin: float) -> list[tuple[Segment, Box]]:
    return [(s, box_of(s, margin)) for s in segments(path)]


def place(p: Point) -> str:
    """Returns a point as shown in messages."""
    return f"({float(p[0]):.6g}, {float(p[1]):.6g})"
