"""Checks of a stroke against the strokes drawn before it."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.boards.drawing.geometry import (
    Path,
    box_of,
    boxes_meet,
    distance2,
    in_sector,
    nearest_on,
    outgoing,
)
from gamedsl.language.boards.drawing.snap_path import ends_of, intersection, knots
from gamedsl.language.boards.drawing.stroke_context import StrokeContext, boxed
from gamedsl.language.boards.plan import Condition, Fault, Point, StrokePlan
from gamedsl.language.source import lazy_dataclass

TIMES = {0: "nowhere", 2: "twice"}


def pair_faults(context: StrokeContext) -> list[Fault]:
    """Returns the faults of a stroke with respect to earlier ones, other than the outline that it goes across."""
    found = [fault for other, path in context.others() for fault in _with_other(context, other, path)]
    return [*found, *_crossing_points(context), *_used_ends(context)]


@lazy_dataclass(frozen=True)
class Contact:
    """The meeting of two strokes: points where they cross, points where they only touch, and a point where they
    overlap.
    """

    crossings: tuple[Point, ...]
    touches: tuple[Point, ...]
    along: Point | None


def contact(a: Path, b: Path) -> Contact:
    """Returns the meeting of two paths. An end of one on the other is a touch. If they overlap, only ``along`` is
    given.
    """
    found = intersection(a, b)
    if found.along is not None:
        return Contact((), (), found.along)
    crossing = {p: _crosses(outgoing(through, p), outgoing(others, p)) for p, (through, others) in found.points.items()}
    points = sorted(crossing)
    return Contact(tuple(p for p in points if crossing[p]), tuple(p for p in points if not crossing[p]), None)


def _crosses(ways: list[Point], others: list[Point]) -> bool:
    """Returns whether one of two paths through a point goes from one side of the other to its other side. ``ways``,
    ``others``: the directions in which they leave the point.
    """
    if len(ways) != 2 or len(others) != 2:
        return False
    first, second = others
    return (in_sector(ways[0], first, second) and in_sector(ways[1], second, first)) or (
        in_sector(ways[1], first, second) and in_sector(ways[0], second, first)
    )


def _with_other(context: StrokeContext, other: StrokePlan, path: Path) -> Iterator[Fault]:
    conditions = _conditions(context.stroke, other)
    found = contact(context.path, path)
    if found.along is not None:
        yield context.fault("E0719", conditions[0] if conditions else None, at=found.along, other=other.name)
        return
    faults = [f for c in conditions if (f := _judge(context, c, other, found)) is not None]
    yield from faults
    close = _near_miss(context, path) if conditions and not faults else None
    if close is not None:
        yield context.fault("E0723", conditions[0], at=close, other=f"`{other.name}`")


def _conditions(stroke: StrokePlan, other: StrokePlan) -> list[Condition]:
    """Returns the conditions of either stroke that concern the other."""
    kinds = ("crosses", "apart", "crosses once")
    own = [c for c in stroke.conditions if c.kind in kinds and (c.kind == "crosses" or other.name in c.names)]
    return own + [c for c in other.conditions if c.kind in kinds and stroke.name in c.names and c not in own]


def _judge(context: StrokeContext, condition: Condition, other: StrokePlan, found: Contact) -> Fault | None:
    met = [*found.crossings, *found.touches]
    match condition.kind:
        case "apart" if met:
            return context.fault("E0716", condition, at=met[0], other=other.name)
        case "crosses once" if len(found.crossings) != 1 or found.touches:
            at = found.touches[0] if found.touches else None
            if at is not None and not found.crossings:
                return context.fault("E0718", condition, at=at, other=other.name)
            count = len(found.crossings)
            return context.fault("E0717", condition, at, other=other.name, count=TIMES.get(count, f"{count} times"))
        case "crosses" if found.touches:
            return context.fault("E0718", condition, at=found.touches[0], other=other.name)
        case _:
            return None


def _near_miss(context: StrokeContext, path: Path) -> Point | None:
    """Returns a corner or end of one path that is too close to the other but not on it; None if there is none."""
    others = boxed(path, float(context.clearance))
    for corners, lines in ((context.path, others), (path, context.boxed)):
        for p in corners:
            box = box_of((p, p))
            for line, reach in lines:
                if boxes_meet(box, reach) and 0 < distance2(p, nearest_on(p, line)) <= context.clearance2:
                    return p
    return None


def _crossing_points(context: StrokeContext) -> Iterator[Fault]:
    condition = context.stroke.condition("avoids crossings")
    if condition is None:
        return
    for knot in knots(context.plan, context.drawing):
        box = box_of((knot, knot))
        for s, reach in context.boxed:
            if boxes_meet(box, reach) and distance2(knot, nearest_on(knot, s)) <= context.clearance2:
                yield context.fault("E0720", condition, at=knot)
                return


def _used_ends(context: StrokeContext) -> Iterator[Fault]:
    condition = context.stroke.condition("new ends")
    if condition is None:
        return
    for other, path in context.others():
        for used in ends_of(path):
            for end in ends_of(context.path):
                if distance2(used, end) <= context.clearance2:
                    yield context.fault("E0721", condition, at=end, other=other.name)
