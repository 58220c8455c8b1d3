"""Open blocks → the basic blocks of the program: only reachable ones, numbered in depth-first order."""

from __future__ import annotations

from dataclasses import field

from gamedsl.language.core import nodes as n
from gamedsl.language.core import targets
from gamedsl.language.source import lazy_dataclass


@lazy_dataclass()
class OpenBlock:
    """A block under construction; ``end`` is set last."""

    phase: str
    part: int
    statements: list[n.CoreStmt] = field(default_factory=list)
    end: n.Terminator | None = None
    clauses: tuple[str, ...] = ()
    reason: n.Reason | None = None


def number_blocks(blocks: list[OpenBlock], entry: int) -> tuple[tuple[n.Block, ...], int]:
    ends: dict[int, n.Terminator] = {}
    order: list[int] = []
    todo = [entry]
    while todo:
        i = todo.pop()
        if i in ends:
            continue
        end = blocks[i].end
        assert end is not None, f"block {i} has no end"
        if isinstance(end, n.BranchT) and isinstance(end.condition, n.Const):
            end = n.Goto(end.yes if end.condition.value else end.no, span=end.span)
        ends[i] = end
        order.append(i)
        todo.extend(reversed(targets(end)))
    forward = {i: _skip_empty(i, blocks, ends) for i in order}
    kept = [i for i in order if forward[i] == i]
    number = {i: kept.index(forward[i]) for i in order}
    done = tuple(
        n.Block(
            number[i],
            tuple(blocks[i].statements),
            ends[i].redirected(lambda target: number[target]),
            blocks[i].phase,
            blocks[i].part,
            blocks[i].clauses,
            blocks[i].reason,
        )
        for i in kept
    )
    return done, number[entry]


def _skip_empty(i: int, blocks: list[OpenBlock], ends: dict[int, n.Terminator]) -> int:
    """Returns the block to which a block leads over empty blocks that only jump; in a cycle of such blocks, one of
    them.
    """
    path = [i]
    while not blocks[i].statements and isinstance(end := ends[i], n.Goto):
        i = end.target
        if i in path:
            return min(path[path.index(i) :])
        path.append(i)
    return i


def endless(blocks: tuple[n.Block, ...]) -> n.Block | None:
    """Returns the first block from which play never reaches a decision, a chance event or an end; None if there is
    none.
    """
    before: dict[int, list[int]] = {b.index: [] for b in blocks}
    for b in blocks:
        for target in targets(b.end):
            before[target].append(b.index)
    todo = [b.index for b in blocks if not isinstance(b.end, n.Goto | n.BranchT)]
    good = set(todo)
    while todo:
        for i in before[todo.pop()]:
            if i not in good:
                good.add(i)
                todo.append(i)
    return next((b for b in blocks if b.index not in good), None)
