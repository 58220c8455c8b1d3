"""The control-flow graph of a program: dominators, natural loops, and the variables written by blocks."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property

from gamedsl.language.core import nodes as n
from gamedsl.language.core.traverse import targets, terminator_tick, walk_statements, written

Vars = frozenset[int]


class BlockGraph:
    """The blocks of a program as a graph. ``before``: the predecessors of every block."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.after = [targets(b.end) for b in program.blocks]
        self.before: list[list[int]] = [[] for _ in program.blocks]
        for block, following in enumerate(self.after):
            for target in dict.fromkeys(following):
                self.before[target].append(block)

    def is_decision(self, block: int) -> bool:
        """Returns whether a player acts at the end of this block, or the game ends there."""
        return isinstance(self.program.blocks[block].end, n.Decision | n.End)

    # ------------------------------------------------------------------------------------------- dominators, loops

    @cached_property
    def dominators(self) -> list[frozenset[int]]:
        """For every block, the blocks on every path from the entry to it, including itself."""
        everything = frozenset(range(len(self.after)))
        found = [everything] * len(self.after)
        found[self.program.entry] = frozenset((self.program.entry,))
        changed = True
        while changed:
            changed = False
            for block in everything - {self.program.entry}:
                ways = [found[b] for b in self.before[block]]
                new = frozenset((block,)) | (frozenset.intersection(*ways) if ways else frozenset())
                if new != found[block]:
                    found[block], changed = new, True
        return found

    def chain(self, block: int) -> list[int]:
        """Returns the dominators of a block, the entry first and the block last."""
        return sorted(self.dominators[block], key=lambda b: len(self.dominators[b]))

    def is_back_edge(self, source: int, target: int) -> bool:
        """Returns whether an edge leads back to the head of a natural loop."""
        return target in self.dominators[source]

    def loop(self, head: int) -> frozenset[int]:
        """Returns the blocks of the natural loop with this head; empty if it is not the head of a loop."""
        found: set[int] = set()
        todo = [b for b in self.before[head] if self.is_back_edge(b, head)]
        while todo:
            block = todo.pop()
            if block not in found:
                found.add(block)
                todo += [] if block == head else self.before[block]
        return frozenset(found)

    def innermost_loop(self, block: int) -> int | None:
        """Returns the head of the innermost natural loop around a block; None if it is in no loop."""
        return next((head for head in reversed(self.chain(block)) if block in self.loop(head)), None)

    def between(self, source: int, target: int) -> frozenset[int]:
        """Returns the blocks on the paths from one block to another that do not return to the first; they can pass the
        other block several times.
        """
        return frozenset(self._reach(source, source, self.after) & self._reach(target, source, self.before))

    def _reach(self, start: int, last: int, edges: list[tuple[int, ...]] | list[list[int]]) -> set[int]:
        found, todo = {start}, [start]
        while todo:
            block = todo.pop()
            if block != last or block == start:
                fresh = [b for b in edges[block] if b not in found]
                found.update(fresh)
                todo += fresh
        return found

    def region(self, start: int) -> frozenset[int]:
        """Returns the blocks reached from a block before a player acts, including those where one acts."""
        found, todo = {start}, [start]
        while todo:
            block = todo.pop()
            if not self.is_decision(block):
                fresh = [b for b in self.after[block] if b not in found]
                found.update(fresh)
                todo += fresh
        return frozenset(found)

    # ------------------------------------------------------------------------------------------------------ writes

    def writes(self, statements: Iterable[n.CoreStmt]) -> Vars:
        """Returns the variables that statements can write, even through moves that they make."""
        found: set[int] = set()
        for s in walk_statements(tuple(statements)):
            var = written(s)
            if var is not None:
                found.add(var.index)
            elif isinstance(s, n.Effect):
                found |= self.writes(self.program.schemas[s.schema].effect)
        return frozenset(found)

    @cached_property
    def end_writes(self) -> list[Vars]:
        """For every block, the variables that its decision or chance event can write."""
        return [self._end_writes(b) for b in range(len(self.after))]

    def _end_writes(self, block: int) -> Vars:
        end = self.program.blocks[block].end
        found = self.writes(terminator_tick(end))
        match end:
            case n.Decide() | n.DecideTogether():
                for alt in end.alternatives:
                    found |= self.writes(self.program.schemas[alt.schema].effect) | {v.index for v in alt.registers}
            case _ if (var := end.result_variable()) is not None:
                found |= {var.index}
        return found
