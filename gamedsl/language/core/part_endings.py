"""The blocks with which a part or the game ends."""

from __future__ import annotations

from gamedsl.language.core import nodes as n


def ending_blocks(program: n.Program) -> dict[int, n.Var | None]:
    """Returns the blocks with which a part ends, each with the variable that takes the set of its winners, and those
    with which the game ends (None). They clear variables, so the last position of a part is the one before them.
    """
    found: dict[int, n.Var | None] = {}
    for block in program.blocks:
        match block.statements:
            case _ if isinstance(block.end, n.End):
                found[block.index] = None
            case (n.Assign(var=n.Var(type=n.SetT(), keys=()) as winners), *rest) if block.part and rest:
                cleared = [s.var.part for s in rest if isinstance(s, n.Reset)]
                if len(cleared) == len(rest) and block.part in cleared:
                    found[block.index] = winners
    return found
