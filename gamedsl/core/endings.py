"""The blocks with which a part, or the play, ends."""

from __future__ import annotations

from gamedsl.core.nodes import Assign, End, Program, Reset, SetT, Var


def ending_blocks(program: Program) -> dict[int, Var | None]:
    """The blocks with which a part ends, each with the variable that takes the set of its winners, and those with which the
    play ends (None). They clear variables, so that the last position is the one before them."""
    found: dict[int, Var | None] = {}
    for block in program.blocks:
        match block.statements:
            case _ if isinstance(block.end, End):
                found[block.index] = None
            case (Assign(var=Var(type=SetT(), keys=()) as winners), *rest) if block.part and rest:
                cleared = [s.var.part for s in rest if isinstance(s, Reset)]
                if len(cleared) == len(rest) and block.part in cleared:
                    found[block.index] = winners
    return found
