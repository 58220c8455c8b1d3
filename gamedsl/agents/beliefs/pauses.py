"""Core to Core: a stop right after the effect of every ply, before the rules go on.

What lies open for a moment is seen there (``engine/information/announcements.py``, ``seen_in_passing``). A pause is a
decision without alternatives at which passing is all that can be done. New blocks follow the old ones, and the variables stay,
so a block of memory means the same to both programs at every other stop.

After simultaneous choices there is one pause, behind the effects of all of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from gamedsl.core.nodes import (
    Alt,
    Block,
    Chance,
    Choose,
    Const,
    CoreStmt,
    Decide,
    DecideDrawing,
    DecideTogether,
    ElemT,
    Goto,
    Program,
    Terminator,
)


@dataclass(frozen=True)
class PausedProgram:
    """``origin``: per block the number of the block of the original program at whose end it stands, or -1 at a pause."""

    program: Program
    origin: tuple[int, ...]


def with_pauses(program: Program) -> PausedProgram:
    """The program with a pause after the effect of every ply."""
    made = _Pauses(program)
    for block in program.blocks:
        made.blocks[block.index] = replace(block, end=made.pausing(block.end))
    return PausedProgram(replace(program, blocks=tuple(made.blocks)), tuple(made.origin))


class _Pauses:
    def __init__(self, program: Program) -> None:
        self.program = program
        self.blocks = list(program.blocks)
        self.origin = list(range(len(program.blocks)))
        self.behind_effects: dict[int, int] = {}
        self.behind_chains: dict[int, int] = {}

    def pausing(self, end: Terminator) -> Terminator:
        """The terminator with pauses before its targets."""
        match end:
            case Decide(alternatives=alternatives, may_pass=target):
                ways = tuple(self._alternative(a) for a in alternatives)
                return replace(end, alternatives=ways, may_pass=None if target is None else self._pause_at(target))
            case Choose(target=target) | Chance(target=target):
                return replace(end, target=self._after_chain(target))
            case DecideTogether(target=target) | DecideDrawing(target=target):
                return replace(end, target=self._pause_at(target))
            case _:
                return end

    def _alternative(self, alt: Alt) -> Alt:
        target = self._after_chain(alt.target) if alt.registers else self._pause_at(alt.target)
        return replace(alt, target=target)

    def _pause_at(self, target: int) -> int:
        """A pause that goes on to a block."""
        if target not in self.behind_effects:
            self.behind_effects[target] = self._pause((), target, target)
        return self.behind_effects[target]

    def _after_chain(self, target: int) -> int:
        """The statements that belong to the ply, up to the next branch or stop, and a pause."""
        if target not in self.behind_chains:
            statements, last = self._chain(target)
            end = self.program.blocks[last]
            rest = self._add(replace(end, statements=()), last)
            self.behind_chains[target] = self._pause(statements, rest, target)
            # only now: its own pauses may lead back here
            self.blocks[rest] = replace(self.blocks[rest], end=self.pausing(end.end))
        return self.behind_chains[target]

    def _chain(self, target: int) -> tuple[tuple[CoreStmt, ...], int]:
        statements: tuple[CoreStmt, ...] = ()
        passed: set[int] = set()
        while True:
            block = self.program.blocks[target]
            statements += block.statements
            passed.add(target)
            if not isinstance(block.end, Goto) or block.end.target in passed:
                return statements, target
            target = block.end.target

    def _pause(self, statements: tuple[CoreStmt, ...], target: int, like: int) -> int:
        """A new block with these statements and a pause. Its place in the play is that of the block ``like``."""
        here = self.program.blocks[like]
        nobody = Const(0, ElemT(self.program.players))
        mover = Const(0, ElemT(self.program.parts[here.part].players))
        end = Decide(nobody, mover, (), (), None, target, here.part)
        return self._add(Block(0, statements, end, here.phase, here.part, here.clauses), -1)

    def _add(self, block: Block, origin: int) -> int:
        self.blocks.append(replace(block, index=len(self.blocks)))
        self.origin.append(origin)
        return len(self.blocks) - 1
