"""The check of a stroke that a person draws: where its ends snap to, and its faults with their places."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.engine import codes_of, drawing_move
from gamedsl.engine.picture import onto_outline
from gamedsl.language.boards import PLACES
from gamedsl.language.boards.drawing import (
    MOST_POINTS,
    Drawing,
    Fault,
    Plan,
    Point,
    Stroke,
    check_stroke,
    snapped_paths,
)
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Move, State

Json: TypeAlias = dict[str, Any]
Drawn: TypeAlias = Sequence[tuple[str, Sequence[tuple[float, float]]]]  # strokes as they come from the page


def judge_strokes(state: State, drawn: Drawn) -> Json:
    """The strokes of a drawing that is due, in their order: per stroke its points after snapping, and its faults.

    ``done``: all are there and without fault. Raises ``ValueError`` with a sentence if nothing is to be drawn, or if a
    stroke is not the next one or has too many points or points that are not numbers."""
    plan, before, names = _due(state)
    good: Drawing = before
    strokes: list[Json] = []
    for wanted, (name, points) in zip(names, _checked(names, drawn), strict=False):
        if name != wanted:
            raise ValueError(f"the next stroke is {wanted}, not {name}")
        stroke, faults = _judged(plan, good, name, points)
        strokes.append({"name": name, "points": _floats(stroke[1]), "faults": [_fault(state, f) for f in faults]})
        if faults:
            break
        good = (*good, stroke)
    return {"strokes": strokes, "done": len(good) == len(before) + len(names)}


def drawing_of(state: State, drawn: Drawn, seat: int) -> Move:
    """The move that draws the snapped strokes; it may be illegal (``State.apply`` reports why)."""
    plan, before, names = _due(state)
    own: Drawing = ()
    for name, points in _checked(names, drawn):
        own = (*own, _judged(plan, (*before, *own), name, points)[0])
    return drawing_move(own, seat)


def _due(state: State) -> tuple[Plan, Drawing, tuple[str, ...]]:
    end = state.terminator
    if not isinstance(end, n.DecideDrawing) or not isinstance(end.var.type, n.DrawingT):
        raise ValueError("there is nothing to draw here")
    plan: Any = end.var.type.plan
    return plan, codes_of(state, end.var)[0], end.strokes


def _checked(names: tuple[str, ...], drawn: Drawn) -> list[Stroke]:
    if len(drawn) > len(names):
        raise ValueError(f"there are {len(names)} strokes to draw, not {len(drawn)}")
    found: list[Stroke] = []
    for name, points in drawn:
        if len(points) > MOST_POINTS:
            raise ValueError(f"a stroke has at most {MOST_POINTS} points")
        found.append((name, tuple((_exact(x), _exact(y)) for x, y in points)))
    return found


def _exact(value: float) -> Fraction:
    try:
        return round(Fraction(value), PLACES)
    except (ValueError, OverflowError, TypeError) as error:
        raise ValueError("a point is two numbers") from error


def _judged(plan: Plan, good: Drawing, name: str, points: tuple[Point, ...]) -> tuple[Stroke, list[Fault]]:
    stroke = plan.stroke(name)
    if stroke is not None:
        points = onto_outline(stroke, points, snapped_paths(plan, good))
    return (name, points), check_stroke(plan, good, name, points)


def _fault(state: State, fault: Fault) -> Json:
    texts = dict(state.game.program.clauses)
    return {
        "code": fault.code,
        "message": fault.message,
        "clauses": [{"number": c, "text": texts.get(c, "")} for c in fault.clauses],
        "at": None if fault.at is None else _floats((fault.at,))[0],
    }


def _floats(points: tuple[Point, ...]) -> list[list[float]]:
    return [[round(float(x), PLACES), round(float(y), PLACES)] for x, y in points]
