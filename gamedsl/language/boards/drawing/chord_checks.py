"""Checks of a chord, a stroke across a closed curve: both ends are on the outline, the rest strictly inside."""

from __future__ import annotations

from collections.abc import Iterator

from gamedsl.language.boards.drawing.geometry import (
    Path,
    Segment,
    area2,
    boxes_meet,
    distance2,
    in_sector,
    inside,
    meeting,
    minus,
    near,
    nearest_on,
    on_segment,
    segments,
)
from gamedsl.language.boards.drawing.snap_path import middle, nearest_of
from gamedsl.language.boards.drawing.stroke_context import StrokeContext, boxed, place
from gamedsl.language.boards.plan import Fault, Point


def across_faults(context: StrokeContext) -> list[Fault]:
    """Returns the faults of the stroke with respect to the outline that it goes across; none if it goes across none."""
    figure = context.figure
    if figure is None:
        return []
    return list(_loose_ends(context, figure)) or list(_ends_alike(context)) or _on_the_way(context, figure)


def _loose_ends(context: StrokeContext, figure: Path) -> Iterator[Fault]:
    """Yields a fault for each end too far from the outline to be snapped onto it."""
    for end in (context.path[0], context.path[-1]):
        nearest = nearest_of(end, figure)
        if nearest != end:
            yield context.fault("E0711", at=end, figure=context.figure_name, nearest=place(nearest))


def _ends_alike(context: StrokeContext) -> Iterator[Fault]:
    if distance2(context.path[0], context.path[-1]) <= context.clearance2:
        yield context.fault("E0714", at=context.path[0], figure=context.figure_name)


def _on_the_way(context: StrokeContext, figure: Path) -> list[Fault]:
    found = _contact(context, figure)
    if found is not None:
        return [found]
    start = middle((context.path[0], context.path[1]))
    if not inside(start, segments(figure)):
        return [context.fault("E0712", at=start, figure=context.figure_name)]
    return list(_tangents(context, figure)) if context.stroke.shape == "straight line" else []


def _contact(context: StrokeContext, figure: Path) -> Fault | None:
    """Returns a fault for the first place, other than its ends, where the stroke meets the outline or comes too close
    to it.
    """
    ends = (context.path[0], context.path[-1])
    outline = boxed(figure, float(context.clearance))
    for i, (s, box) in enumerate(context.boxed):
        own = {ends[0]} if i == 0 else set()
        own |= {ends[1]} if i == len(context.boxed) - 1 else set()
        for e, other in outline:
            if not boxes_meet(box, other):
                continue
            common = meeting(s, e)
            met = [p for p in common if p not in own] or common[1:]
            if met:
                return context.fault("E0712", at=met[0], figure=context.figure_name)
            close = _too_close(context, s, e, own)
            if close is not None:
                return context.fault("E0723", at=close, other=f"`{context.figure_name}`")
    return None


def _too_close(context: StrokeContext, s: Segment, e: Segment, own: set[Point]) -> Point | None:
    """Returns a point of s too near to the outline's segment e. ``own``: ends of the stroke on s, which can be on e."""
    if not any(on_segment(p, e) for p in own):
        return middle(s) if near(s, e, context.clearance2) else None
    for p, line in ((s[0], e), (s[1], e), (e[0], s), (e[1], s)):
        if p not in own and distance2(p, nearest_on(p, line)) <= context.clearance2:
            return p
    return None


def _tangents(context: StrokeContext, figure: Path) -> Iterator[Fault]:
    """Yields a fault for each end at a corner of the outline where the stroke, extended, would not leave the figure."""
    corners = figure if area2(figure) > 0 else figure[::-1]
    for end, inner in ((context.path[0], context.path[1]), (context.path[-1], context.path[-2])):
        onward = minus(end, inner)
        for before, corner, after in zip((corners[-2], *corners[:-2]), corners[:-1], corners[1:], strict=True):
            # outside a corner: counterclockwise from the way back to the way on
            if corner == end and not in_sector(onward, minus(before, corner), minus(after, corner)):
                yield context.fault("E0713", at=end, figure=context.figure_name)
