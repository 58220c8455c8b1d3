"""The helper variables that may hold something hidden from somebody, at the end of every block: an information-flow
analysis along the blocks.

A helper becomes hidden where it is computed from something hidden, or where something hidden decides whether it is
written. A branch on something hidden taints everything written between it and the block where its paths meet again.
If its paths lead to stops that look different, everybody sees which one was taken, so nothing is tainted.

A ply may be made unnoticed: nothing that all see changes, and the game stops where it looks as before. Nobody knows whether
it has been made, so it taints what is written on its way, at both stops.
"""

from __future__ import annotations

from collections.abc import Iterable

from gamedsl.engine.facts.reads import Reads
from gamedsl.engine.facts.unnoticed_ways import Looks, UnnoticedWays, ways_from
from gamedsl.language.core import (
    is_stop,
    reached,
    targets,
    terminator_exprs,
    terminator_tick,
    walk_statements,
)
from gamedsl.language.core import nodes as n

Numbers = frozenset[int]  # of variables


def unseen_helpers(reads: Reads) -> tuple[Numbers, ...]:
    """Per block, the helpers that may hold something hidden when the game stops at its end."""
    return Flow(reads).solve()


class Flow(UnnoticedWays):
    """The analysis of a program."""

    def __init__(self, reads: Reads) -> None:
        super().__init__(reads.program)
        self.rules = reads
        self.hidden = frozenset(
            v.index for v in self.program.variables if v.seen != "all" or isinstance(v.type, n.HistoryT)
        )
        self.after = _meeting_blocks(self.blocks)
        self.told: set[int] = set()  # the blocks on paths that something hidden chose
        self.lagging = [frozenset[int]()] * len(self.blocks)  # helpers that an unnoticed ply to or from a stop writes
        self.ends: list[Numbers] = [frozenset()] * len(self.blocks)  # of each block, before its terminator acts

    def solve(self) -> tuple[Numbers, ...]:
        before = [frozenset[int]()] * len(self.blocks)
        for block in self.blocks:
            self._lag(block)
        changed = True
        while changed:
            changed = False
            for block in self.blocks:
                end = self._through(block.statements, before[block.index], block.index in self.told)
                end |= self.lagging[block.index]
                if end != self.ends[block.index]:
                    self.ends[block.index], changed = end, True
                for target, leaving in self._left(block, end):
                    if not leaving <= before[target]:
                        before[target], changed = before[target] | leaving, True
                chosen = self._chosen_ways(block, end) - self.told
                if chosen:
                    self.told |= chosen
                    changed = True
        return tuple(self.ends)

    # ---------------------------------------------------------------------------------------------- statements

    def _through(self, statements: tuple[n.CoreStmt, ...], before: Numbers, is_told: bool) -> Numbers:
        """The helpers that may hold something hidden after these statements. ``is_told``: something hidden decides
        whether they run."""
        now = before
        for s in statements:
            match s:
                case n.IfS(condition=condition, then=then, otherwise=otherwise):
                    told = is_told or self._is_hidden(self.rules.reads((condition,)), now)
                    now = self._through(then, now, told) | self._through(otherwise, now, told)
                case n.ForS(over=over, body=body):
                    told = is_told or self._is_hidden(self.rules.reads((over,)), now)
                    inside = now
                    while (further := inside | self._through(body, inside, told)) != inside:
                        inside = further
                    now = inside
                case _:
                    told = is_told or self._is_hidden(self.rules.read_by((s,)), now)
                    now = self._written(s, now, told)
        if self._spreads(statements, now):
            now |= self.helpers & {v.index for s in walk_statements(statements) for v in self._writes(s)}
        return now

    def _written(self, s: n.CoreStmt, now: Numbers, told: bool) -> Numbers:
        for var in self._writes(s):
            if var.index not in self.helpers:
                continue
            if told:
                now |= {var.index}
            elif isinstance(s, n.Reset) or (isinstance(s, n.Assign) and not var.keys):
                now -= {var.index}
        return now

    def _spreads(self, statements: tuple[n.CoreStmt, ...], now: Numbers) -> bool:
        """Whether everything the statements write may depend on something hidden that they read: they bind it to a
        name, or they may stop because of it."""
        stops = any(isinstance(s, n.StopS) for s in walk_statements(statements))
        spreading = tuple(s for s in statements if stops or isinstance(s, n.LetS))
        return self._is_hidden(self.rules.read_by(spreading), now)

    def _is_hidden(self, read: Numbers, now: Numbers) -> bool:
        return not read.isdisjoint(self.hidden | now)

    # --------------------------------------------------------------------------------------------- terminators

    def _left(self, block: n.Block, now: Numbers) -> Iterable[tuple[int, Numbers]]:
        """The blocks that may come next, with the helpers that hold something hidden there."""
        end = block.end
        ticked = self._through(terminator_tick(end), now, block.index in self.told)
        match end:
            case n.Chance(result=var, target=target) | n.Choose(var=var, target=target):
                yield target, ticked | ({var.index} & self.helpers)
            case n.Decide(alternatives=alternatives) | n.DecideTogether(alternatives=alternatives):
                knows_mover = isinstance(end, n.Decide) and not self._is_hidden(self.rules.reads((end.mover,)), now)
                for alt in alternatives:
                    made = {v.index for v in alt.registers[knows_mover:]} | self._made(end, alt, now)
                    target = end.target if isinstance(end, n.DecideTogether) else alt.target
                    yield target, ticked | (made & self.helpers)
                for target in targets(end):
                    yield target, ticked
            case _:
                for target in targets(end):
                    yield target, ticked

    def _made(self, end: n.Decide | n.DecideTogether, alt: n.Alt, now: Numbers) -> Numbers:
        """The variables whose values may depend on which move of an alternative was made."""
        effect = self.program.schemas[alt.schema].effect
        return frozenset(v.index for s in walk_statements(effect) for v in self._writes(s))

    def _chosen_ways(self, block: n.Block, now: Numbers) -> set[int]:
        """The blocks that are run or skipped depending on something hidden, if this block branches on it."""
        ways = self._ways(block, now)
        if len(ways) < 2:
            return set()
        if self._are_told_apart(block, [self._first_stops(way) for way in ways]):
            return set()
        meeting = self.after[block.index]
        between, todo = set[int](), sorted(ways)
        while todo:
            at = todo.pop()
            if at not in between and at != meeting:
                between.add(at)
                todo.extend(targets(self.blocks[at].end))
        if any(is_stop(self.blocks[i]) for i in between):  # the number of plies depends on it
            return reached(self.program, ways)
        return between

    def _are_told_apart(self, block: n.Block, looks: list[Looks]) -> bool:
        """Whether everybody sees which way was taken after a block, from the looks of the first stops on each."""
        return sum(map(len, looks)) == len(set[object]().union(*looks))

    def _ways(self, block: n.Block, now: Numbers) -> set[int]:
        """The blocks where the game may continue after this one, if something hidden decides between them."""
        end = block.end
        match end:
            case n.BranchT() if self._is_hidden(self.rules.reads(terminator_exprs(end)), now):
                return set(targets(end))
            case n.Decide(alternatives=alternatives, stuck=stuck, may_pass=may_pass):
                ways = {a.target for a in alternatives} | ({may_pass} if may_pass is not None else set())
                asks = any(self._is_hidden(self.rules.read_of(a.schema), now) for a in alternatives)
                return ways | ({stuck} if stuck is not None and asks else set())
            case _:
                return set()

    def _lag(self, block: n.Block) -> None:
        """Notes which helpers the unnoticed plies from a stop write."""
        for alt, target in ways_from(block) if is_stop(block) else ():
            passed, stops = self._unnoticed_way(block, alt, target)
            if not stops:
                continue
            self.told |= passed
            inside = (s for i in passed for s in walk_statements(self.blocks[i].statements))
            registers = () if alt is None else alt.registers
            written_here = {v.index for s in inside for v in self._writes(s)} | {v.index for v in registers}
            for i in (block.index, *stops):
                self.lagging[i] |= (written_here | self._all_written(alt)) & self.helpers


def _meeting_blocks(blocks: tuple[n.Block, ...]) -> list[int | None]:
    """Per block, the next block on every path from it (its immediate post-dominator); None if there is none."""
    everything = frozenset(range(len(blocks)))
    later = [everything] * len(blocks)
    changed = True
    while changed:
        changed = False
        for block in reversed(blocks):
            follow = [later[t] for t in targets(block.end)]
            found = frozenset.intersection(*follow) | {block.index} if follow else frozenset({block.index})
            if found != later[block.index]:
                later[block.index], changed = found, True
    return [max(later[i] - {i}, key=lambda j: len(later[j]), default=None) for i in range(len(blocks))]
