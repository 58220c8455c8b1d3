"""Core to Core: adds a stop right after the effect of every ply, before the rules continue.

Things that are visible only for a moment are seen there (``engine.information.plies.seen_in_passing``). An
observation point is a decision without alternatives at which only passing is possible. New blocks follow the old
ones, and the variables stay, so a block of memory means the same to both programs at every other stop.

After simultaneous choices there is one observation point, after the effects of all of them.
"""

from __future__ import annotations

from dataclasses import replace

from gamedsl.language.core import nodes
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class ObservableProgram:
    """A program with observation points.

    ``origin``: for each block the number of the original block at whose end it stands, or -1 for an observation
    point.
    """

    program: nodes.Program
    origin: tuple[int, ...]


def with_observation_points(program: nodes.Program) -> ObservableProgram:
    """Returns the program with an observation point after the effect of every ply."""
    made = _Inserter(program)
    for block in program.blocks:
        made.blocks[block.index] = replace(block, end=made.with_points(block.end))
    return ObservableProgram(replace(program, blocks=tuple(made.blocks)), tuple(made.origin))


class _Inserter:
    def __init__(self, program: nodes.Program) -> None:
        self.program = program
        self.blocks = list(program.blocks)
        self.origin = list(range(len(program.blocks)))
        self.behind_effects: dict[int, int] = {}
        self.behind_chains: dict[int, int] = {}

    def with_points(self, end: nodes.Terminator) -> nodes.Terminator:
        """Returns the terminator with observation points before its targets."""
        match end:
            case nodes.Decide(alternatives=alternatives, may_pass=target):
                ways = tuple(self._alternative(a) for a in alternatives)
                return replace(end, alternatives=ways, may_pass=None if target is None else self._point_before(target))
            case nodes.Choose(target=target) | nodes.Chance(target=target):
                return replace(end, target=self._after_chain(target))
            case nodes.DecideTogether(target=target) | nodes.DecideDrawing(target=target):
                return replace(end, target=self._point_before(target))
            case _:
                return end

    def _alternative(self, alt: nodes.Alt) -> nodes.Alt:
        target = self._after_chain(alt.target) if alt.registers else self._point_before(alt.target)
        return replace(alt, target=target)

    def _point_before(self, target: int) -> int:
        """Returns an observation point that continues to a block."""
        if target not in self.behind_effects:
            self.behind_effects[target] = self._point((), target, target)
        return self.behind_effects[target]

    def _after_chain(self, target: int) -> int:
        """Returns a block with the statements that belong to the ply, up to the next branch or stop, and an
        observation point.
        """
        if target not in self.behind_chains:
            statements, last = self._chain(target)
            end = self.program.blocks[last]
            rest = self._add(replace(end, statements=()), last)
            self.behind_chains[target] = self._point(statements, rest, target)
            # only now, because its own observation points may lead back here
            self.blocks[rest] = replace(self.blocks[rest], end=self.with_points(end.end))
        return self.behind_chains[target]

    def _chain(self, target: int) -> tuple[tuple[nodes.CoreStmt, ...], int]:
        statements: tuple[nodes.CoreStmt, ...] = ()
        passed: set[int] = set()
        while True:
            block = self.program.blocks[target]
            statements += block.statements
            passed.add(target)
            if not isinstance(block.end, nodes.Goto) or block.end.target in passed:
                return statements, target
            target = block.end.target

    def _point(self, statements: tuple[nodes.CoreStmt, ...], target: int, like: int) -> int:
        """Adds a block with these statements and an observation point, and returns its number.

        Its place in the game is that of the block ``like``.
        """
        here = self.program.blocks[like]
        nobody = nodes.Const(0, nodes.ElemT(self.program.players))
        mover = nodes.Const(0, nodes.ElemT(self.program.parts[here.part].players))
        end = nodes.Decide(nobody, mover, (), (), None, target, here.part)
        return self._add(nodes.Block(0, statements, end, here.phase, here.part, here.clauses, here.reason), -1)

    def _add(self, block: nodes.Block, origin: int) -> int:
        self.blocks.append(replace(block, index=len(self.blocks)))
        self.origin.append(origin)
        return len(self.blocks) - 1
