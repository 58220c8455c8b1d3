"""Moves that consist of strokes: their text, random ones, and their errors."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move, Refusal
from gamedsl.language.boards.drawing import Drawing, Plan, check_stroke, format_points, parse_points
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine.state import State


# ------------------------------------------------------------------------------------------------------- as text


def drawing_text(drawing: Drawing) -> str:
    """``figure 0,0 90,0 90,90; upper 0,30 90,30``"""
    return "; ".join(f"{name} {format_points(points)}" for name, points in drawing)


def drawing_from(text: str) -> Drawing:
    """The inverse of ``drawing_text``. Raises ``GameDSLError`` (E07xx) for malformed points."""
    strokes = []
    for piece in text.split(";"):
        name, _, points = piece.strip().partition(" ")
        if name:
            strokes.append((name, tuple(parse_points(points))))
    return tuple(strokes)


def drawing_move(drawing: Drawing, player: int | None) -> Move:
    return Move("drawing", None, "draw", player, (), drawing_text(drawing), drawing)


def read_drawing(text: str, strokes: set[str], player: int | None) -> Move:
    """The move of these strokes. Raises ``GameDSLError`` (E0501) if a name is not a stroke of the game."""
    drawing = drawing_from(text)
    for name, _ in drawing:
        if name not in strokes:
            known = ", ".join(sorted(strokes))
            raise play_error("E0501", f"{name!r} is not a stroke of this game", expected=f"one of {known}")
    return drawing_move(drawing, player)


# ------------------------------------------------------------------------------------------------------- in play


def _decision(state: State) -> tuple[n.DecideDrawing, Plan, Drawing]:
    """The decision, its plan, and the strokes drawn so far."""
    end = state.terminator
    assert isinstance(end, n.DecideDrawing) and isinstance(end.var.type, n.DrawingT)
    drawn: Drawing = state.slots[state.game.code.offsets[end.var.index]]
    plan = end.var.type.plan
    assert isinstance(plan, Plan)
    return end, plan, drawn


def generated(state: State, rng: Random) -> Move:
    """A move of random strokes that satisfy the rules."""
    from gamedsl.language.boards import generate  # start-up: loads shapely, which only drawn boards need

    end, plan, drawn = _decision(state)
    return drawing_move(tuple(generate(plan, drawn, end.strokes, rng)), state.to_act[0])


def faults(state: State, move: Move) -> list[Refusal]:
    """The reasons why the strokes are illegal: wrong names, else the errors of the first faulty stroke; empty if there
    are none."""
    end, plan, drawn = _decision(state)
    names = tuple(name for name, _ in move.drawing)
    if names != end.strokes:
        return [Refusal(f"the strokes to draw here, in order: {', '.join(end.strokes)}", (), end.span)]
    for name, points in move.drawing:
        found = check_stroke(plan, drawn, name, points)
        if found:
            return [Refusal(f"{name}: {f.message}", f.clauses, f.span) for f in found]
        drawn = (*drawn, (name, points))
    return []
