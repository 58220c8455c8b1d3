"""The blocks with which a part or the game ends, and which parts are played at a block."""

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


def parts_played(program: n.Program) -> tuple[frozenset[int], ...]:
    """Returns for each part the parts of which a game is being played while it is: itself and those around it, without
    the whole."""
    found: list[frozenset[int]] = []
    for part in program.parts:
        found.append(found[part.around] | {part.index} if part.index else frozenset())
    return tuple(found)


def parts_after(program: n.Program) -> tuple[frozenset[int], ...]:
    """Returns for each block the parts whose game goes on after it: not its own, if the block gives the part around it
    the winners."""
    played = parts_played(program)
    return tuple(played[program.parts[b.part].around if _gives_winners(program, b) else b.part] for b in program.blocks)


def _gives_winners(program: n.Program, block: n.Block) -> bool:
    """Whether a block ends its part: only then does a part assign a set of players to a variable of the part around
    it."""
    around = program.parts[block.part].around
    return block.part > 0 and any(
        isinstance(s, n.Assign) and s.var.part == around and isinstance(s.var.type, n.SetT) for s in block.statements
    )
