"""Checks whether a stroke meets the conditions of its plan; those that concern the stroke alone are here."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import radians, tan

from gamedsl.language.boards.drawing.chord_checks import across_faults
from gamedsl.language.boards.drawing.geometry import (
    Path,
    boxes_meet,
    cross,
    distance2,
    meeting,
    near,
    nearest_on,
    segments,
)
from gamedsl.language.boards.drawing.half_edges import split
from gamedsl.language.boards.drawing.messages import message_of
from gamedsl.language.boards.drawing.overlay import count_spaces, subdivide
from gamedsl.language.boards.drawing.pair_checks import pair_faults
from gamedsl.language.boards.drawing.point_text import MOST, MOST_POINTS, PLACES, is_decimal
from gamedsl.language.boards.drawing.snap_path import snap_path, snapped_paths, tidy
from gamedsl.language.boards.drawing.stroke_context import StrokeContext
from gamedsl.language.boards.plan import BORDERS_PER_SPACE, NEAR, Drawing, Fault, Plan, Point, StrokePlan

LEAST_POINTS = {"closed curve": 3, "straight line": 2, "open curve": 2}


def check_stroke(plan: Plan, drawing: Drawing, name: str, points: tuple[Point, ...]) -> list[Fault]:
    """Returns the faults of the stroke ``name`` after a valid drawing; empty if it is valid. A basic fault hides
    others.
    """
    stroke = plan.stroke(name)
    if stroke is None:
        return [Fault("E0705", message_of("E0705", name=name, names=", ".join(plan.names)), ())]
    points = tidy(stroke, points)
    found = _order_fault(stroke, drawing) or _form_fault(stroke, points)
    if found is not None:
        return [found]
    drawn = snapped_paths(plan, drawing)
    context = StrokeContext(plan, stroke, points, snap_path(stroke, points, drawn), drawing, drawn)
    faults = list(_short_steps(context))
    if not faults:
        faults = [*_own_shape(context), *across_faults(context)]
    if not any(f.code == "E0711" for f in faults):
        faults += pair_faults(context)
    return faults or list(_too_many(context))


def _order_fault(stroke: StrokePlan, drawing: Drawing) -> Fault | None:
    names = {name for name, _ in drawing}
    if stroke.name in names:
        return Fault("E0706", message_of("E0706", name=stroke.name), stroke.clauses, None, stroke.span)
    if stroke.across and stroke.across not in names:
        text = message_of("E0707", name=stroke.name, figure=stroke.across)
        return Fault("E0707", text, stroke.clauses, None, stroke.span)
    return None


def _form_fault(stroke: StrokePlan, points: tuple[Point, ...]) -> Fault | None:
    """Returns a fault for invalid coordinates, or for a wrong number of points for the kind of stroke."""
    for value in (v for p in points for v in p):
        if not is_decimal(value):
            text = message_of("E0702", text=f"{float(value):.6g}", places=PLACES, most=MOST)
            return Fault("E0702", text, stroke.clauses, None, stroke.span)
    least = LEAST_POINTS[stroke.shape]
    most = 2 if stroke.shape == "straight line" else MOST_POINTS
    if not least <= len(points) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        text = message_of("E0703", shape=stroke.shape, wanted=wanted, count=len(points))
        return Fault("E0703", text, stroke.clauses, None, stroke.span)
    return None


def _short_steps(context: StrokeContext) -> Iterator[Fault]:
    for a, b in segments(context.path):
        if distance2(a, b) <= context.clearance2:
            # a stroke across an outline with both ends in one place has its own fault
            if len(context.path) > 2 or context.figure is None:
                yield context.fault("E0704", at=a)
                return


# ------------------------------------------------------------------------------------------------ the stroke alone


def _own_shape(context: StrokeContext) -> Iterator[Fault]:
    if context.stroke.shape == "closed curve" and _is_flat(context.path):
        yield context.fault("E0708")
        return
    yield from _self_meetings(context)
    for condition in context.stroke.conditions:
        if condition.kind in ("horizontal", "vertical") and condition.degrees is not None:
            if not _within(context.points, condition.kind, condition.degrees):
                yield context.fault("E0715", condition, degrees=condition.degrees, way=_level(condition.kind))


def _is_flat(path: Path) -> bool:
    """Returns whether all points are collinear, or so nearly that they enclose no area."""
    far = max(path, key=lambda p: distance2(path[0], p))
    return all(abs(cross(path[0], far, p)) <= NEAR * distance2(path[0], far) for p in path)


def _level(kind: str) -> str:
    return "the horizontal" if kind == "horizontal" else "the vertical"


def _within(points: tuple[Point, ...], kind: str, degrees: int) -> bool:
    """Returns whether the angle of a line is at most this many degrees; exact for 0, 45 and 90."""
    x, y = abs(points[-1][0] - points[0][0]), abs(points[-1][1] - points[0][1])
    along, off = (x, y) if kind == "horizontal" else (y, x)
    if degrees >= 90:
        return True
    slope = Fraction(degrees, 45) if degrees in (0, 45) else Fraction(tan(radians(degrees)))
    return off <= slope * along


def _self_meetings(context: StrokeContext) -> Iterator[Fault]:
    """Yields a fault for the first place where the path meets itself (if it must be simple) or overlaps itself
    (always).
    """
    simple = context.stroke.condition("simple")
    count = len(context.boxed)
    closed = context.path[0] == context.path[-1]
    close: Fault | None = None
    for i in range(count):
        for j in range(i + 1, count):
            if not boxes_meet(context.boxed[i][1], context.boxed[j][1]):
                continue
            following = j == i + 1 or (closed and count > 2 and i == 0 and j == count - 1)
            fault = _turn_back(context, i, j) if following else _self_meeting(context, i, j)
            if fault is None or (simple is None and fault.code != "E0719"):
                continue
            if fault.code != "E0723":
                yield fault
                return
            close = close or fault
    if close is not None:
        yield close


def _turn_back(context: StrokeContext, i: int, j: int) -> Fault | None:
    """Returns a fault if two consecutive segments overlap beyond the point that they share."""
    s, t = context.boxed[i][0], context.boxed[j][0]
    shared, before, after = (s[1], s[0], t[1]) if j == i + 1 else (s[0], s[1], t[0])
    if (
        distance2(before, nearest_on(before, t)) > context.clearance2
        and distance2(after, nearest_on(after, s)) > context.clearance2
    ):
        return None
    simple = context.stroke.condition("simple")
    if simple is not None:
        return context.fault("E0710", simple, at=shared)
    along = len(meeting(s, t)) == 2
    return context.fault("E0719", at=shared, other=context.stroke.name) if along else None


def _self_meeting(context: StrokeContext, i: int, j: int) -> Fault | None:
    s, t = context.boxed[i][0], context.boxed[j][0]
    simple = context.stroke.condition("simple")
    found = meeting(s, t)
    if found and simple is not None:
        return context.fault("E0710", simple, at=found[0])
    if len(found) == 2:
        return context.fault("E0719", at=found[0], other=context.stroke.name)
    if simple is not None and near(s, t, context.clearance2):
        return context.fault("E0723", simple, at=nearest_on(t[0], s), other="itself")
    return None


# -------------------------------------------------------------------------------------------- the whole drawing


def _too_many(context: StrokeContext) -> Iterator[Fault]:
    """Yields a fault if the drawing with the stroke would exceed the limit of the plan."""
    paths = {**context.drawn, context.stroke.name: context.path}
    most = context.plan.limit
    count = count_spaces(paths)
    if count > most:
        yield context.fault("E0722", count=count, what="spaces", most=most)
        return
    borders = len(subdivide(paths).borders) if len(split(paths)) > BORDERS_PER_SPACE * most else 0
    if borders > BORDERS_PER_SPACE * most:
        yield context.fault("E0722", count=borders, what="borders", most=BORDERS_PER_SPACE * most)
