"""Relations of a drawing's arrangement, for the translated rules."""

from __future__ import annotations

from gamedsl.engine.errors import fail
from gamedsl.language.boards import bits_of
from gamedsl.language.boards.drawing import Drawing, Plan, arrange
from gamedsl.language.source import Span


def arranged(drawing: Drawing, plan: Plan, relation: str, args: tuple[int, ...], span: Span) -> int:
    """A relation of a drawing's arrangement: ``spaces`` and ``borders`` (sets), ``sides(border)``,
    ``neighbors(space)``, ``crossings(k)`` of the k-th stroke of the plan."""
    found = arrange(plan, drawing)
    match relation:
        case "spaces":
            return (1 << len(found.spaces)) - 1
        case "borders":
            return (1 << len(found.borders)) - 1
        case "sides":
            return bits_of(found.borders[args[0]].spaces) if args[0] < len(found.borders) else 0
        case "neighbors":
            return bits_of(found.neighbors(args[0]))
        case "crossings":
            return found.crossings(plan.strokes[args[0]].name)
    fail(f"a drawing has no {relation}", span)
