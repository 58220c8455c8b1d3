"""Names of the stops of a program, as positions give them."""

from __future__ import annotations

from collections import Counter

from gamedsl.language.core import is_stop
from gamedsl.language.core import nodes as n

MOST_NAMED = 4  # kinds of moves


def stop_names(program: n.Program) -> dict[int, str]:
    """Returns a name for every stop, by the number of its block: what is decided there, with a number if several stops
    decide the same."""
    seen: Counter[str] = Counter()
    names: dict[int, str] = {}
    for block in program.blocks:
        if not is_stop(block):
            continue
        part = f"{program.parts[block.part].name}: " if block.part else ""
        name = part + _decided(program, block.end)
        seen[name] += 1
        names[block.index] = name if seen[name] == 1 else f"{name} ({seen[name]})"
    return names


def _decided(program: n.Program, end: n.Terminator) -> str:
    match end:
        case n.Decide(alternatives=()):
            return "passes"
        case n.Decide(alternatives=alternatives):
            return f"plays {_kinds(program, alternatives)}"
        case n.DecideTogether(alternatives=alternatives):
            return f"together {_kinds(program, alternatives)}"
        case n.Choose(var=var):
            return f"chooses {var.name}"
        case n.Chance(what=what, result=result):
            return f"{what} {result.name}"
        case n.DecideDrawing(strokes=strokes):
            return f"draws {', '.join(strokes)}"
        case _:
            return "the end"


def _kinds(program: n.Program, alternatives: tuple[n.Alt, ...]) -> str:
    names = [program.schemas[a.schema].name for a in alternatives]
    return " | ".join(names if len(names) <= MOST_NAMED else [*names[: MOST_NAMED - 1], "..."])
