"""The drawings of a game as plain data: allowed and prepared drawings, and the features that the rules read.

``static/arrangement.js`` reads it; the meaning is that of ``gamedsl.language.boards.drawing``.
"""

from __future__ import annotations

from dataclasses import asdict
from math import radians, tan
from typing import TYPE_CHECKING, Any, TypeAlias

from gamedsl.language.boards.drawing import DRAWING_MESSAGES, Plan
from gamedsl.language.core import nodes as n
from gamedsl.play.web.pictures import describe_drawing

if TYPE_CHECKING:
    from gamedsl.compiler import WasmModule
    from gamedsl.engine import Game
    from gamedsl.language.boards.drawing import Condition, Drawing, StrokePlan

Json: TypeAlias = dict[str, Any]

EXACT = (0, 45)  # degrees whose slope is a fraction


def drawing_data(game: Game, module: WasmModule) -> Json:
    """``drawings``: prepared ones by their numbers, each with its shapes (as in a picture) and its ``strokes`` as drawn.
    ``plan``: null if nobody draws."""
    plan = next((v.type.plan for v in game.program.variables if isinstance(v.type, n.DrawingT)), None)
    if not isinstance(plan, Plan):
        return {"plan": None, "drawings": []}
    return {
        "plan": {"limit": plan.limit, "strokes": [_stroke(s) for s in plan.strokes]},
        "drawings": [{"shapes": describe_drawing((plan, d)), "strokes": _points(d)} for d in module.drawings],
        "messages": {code: list(texts) for code, texts in DRAWING_MESSAGES.items()},
        "columns": [asdict(column) for column in module.columns],
        "words": module.record,
    }


def _points(drawing: Drawing) -> list[Any]:
    """Names and points. A coordinate has at most nine decimals, so a floating-point number represents it without
    ambiguity."""
    return [[name, [[float(x), float(y)] for x, y in points]] for name, points in drawing]


def _stroke(stroke: StrokePlan) -> Json:
    conditions = [_condition(c) for c in stroke.conditions]
    return {
        "name": stroke.name, "shape": stroke.shape, "across": stroke.across or "", "clauses": list(stroke.clauses),
        "conditions": conditions,
    }  # fmt: skip


def _condition(condition: Condition) -> Json:
    degrees = condition.degrees
    slope = (0, 1) if degrees is None or degrees >= 90 else (degrees, 45) if degrees in EXACT else _slope(degrees)
    return {
        "kind": condition.kind, "degrees": degrees, "slope": [str(number) for number in slope], "names": list(condition.names),
        "clauses": list(condition.clauses),
    }  # fmt: skip


def _slope(degrees: int) -> tuple[int, int]:
    return tan(radians(degrees)).as_integer_ratio()
