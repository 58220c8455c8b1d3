"""The hidden collections whose sizes everybody knows: how many cards are in a hand, in a deck, under a cup.

Each gets a helper variable that counts along (``size_changes``). Where the change of a size is not known, the helper is set to
the size, which is hidden. The analysis of what helpers may tell (``helper_flow``) then finds those that depend on nothing but
what everybody sees. A size is known wherever a player decides, or it counts as hidden: so whether it is shown tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from gamedsl.engine.facts.counted_program import CountedProgram
from gamedsl.engine.facts.helper_flow import Flow, Numbers, look_of
from gamedsl.engine.facts.reads import Reads
from gamedsl.engine.facts.thing_facts import plain
from gamedsl.language.core import free_locals, is_stop, statement_exprs, substitute, targets, walk_statements, written
from gamedsl.language.core import nodes as n


def known_sizes(program: n.Program) -> frozenset[int]:
    """Returns the numbers of the hidden variables of a program whose sizes everybody knows wherever players decide: of sets and optional
    values and stacks, for each combination of keys; of maps to numbers from 0 on, the sum for each combination of all keys but
    the last.
    """
    counted = CountedProgram(program)
    if not counted.helpers:
        return frozenset()
    flow = _SizeFlow(counted)
    unseen = frozenset[int]().union(*flow.solve(), *flow.left)
    return frozenset(number for number, helper in counted.helpers.items() if helper.index not in unseen)


class _SizeFlow(Flow):
    """Which helpers may tell something hidden. ``left``: those that may do so after a block."""

    def __init__(self, counted: CountedProgram) -> None:
        super().__init__(Reads(counted.program))
        self.counted = counted
        self.sizes = frozenset(v.index for v in counted.helpers.values())
        self.left: list[Numbers] = []
        drawn = [t for b in self.blocks if isinstance(b.end, n.Chance) for t in targets(b.end)]
        self.after_chance = {i for t in drawn for i in self._blocks_before_stop(t)}

    def solve(self) -> tuple[Numbers, ...]:
        found = super().solve()
        self.left = [now for block in self.blocks for _, now in self._left(block, found[block.index])]
        return found

    def _left(self, block: n.Block, now: Numbers) -> Iterator[tuple[int, Numbers]]:
        end = block.end
        unnoticed = self._unnoticed(block) if isinstance(end, n.Decision) else frozenset()
        for target, leaving in super()._left(block, now):
            yield target, leaving | unnoticed

    def _made(self, end: n.Decide | n.DecideTogether, alt: n.Alt, now: Numbers) -> Numbers:
        """A move that changes a size as all others at the decision do, or is told from those that do not, tells nothing."""
        made, ways = super()._made(end, alt, now), self._other_ways(end, alt, now)
        return frozenset(i for i in made if i not in self.sizes or not self._is_seen(end, alt, i, ways, now))

    def _other_ways(self, end: n.Decide | n.DecideTogether, alt: n.Alt, now: Numbers) -> list[tuple[n.Alt | None, int]]:
        """The other alternatives, a pass, and that there is no move, each with the block that follows."""
        others: list[tuple[n.Alt | None, int]] = [
            (a, end.target if isinstance(end, n.DecideTogether) else a.target) for a in end.alternatives if a is not alt
        ]
        if isinstance(end, n.Decide):
            others += [(None, way) for way in (end.may_pass, end.stuck) if way is not None]
        return others

    def _is_seen(
        self,
        end: n.Decide | n.DecideTogether,
        alt: n.Alt,
        size: int,
        ways: list[tuple[n.Alt | None, int]],
        now: Numbers,
    ) -> bool:
        movers = end.movers if isinstance(end, n.DecideTogether) else end.mover
        if self._is_hidden(self.rules.reads((movers,)), now):
            return False
        own = self._counting(alt, size, now)
        target = end.target if isinstance(end, n.DecideTogether) else alt.target
        return own is not None and all(
            self._counting(other, size, now) == own or self._differ((alt, target), (other, way)) for other, way in ways
        )

    def _counting(self, alt: n.Alt | None, size: int, now: Numbers) -> tuple[object, ...] | None:
        """The statements of a move that change a size; None if they depend on more than who moves and what all see."""
        if alt is None:
            return ()
        schema = self.program.schemas[alt.schema]
        found = tuple(self._outermost(schema.effect, size))
        names = {schema.me.id}
        inside = {s.local.id for s in walk_statements(found) if isinstance(s, n.ForS)}
        exprs = [e for s in walk_statements(found) if self._leads_to(s, size) for e in statement_exprs(s)]
        is_open = any(not set(free_locals(e)) <= names | inside for e in exprs)
        may_stop = any(isinstance(s, n.StopS | n.Effect) for s in walk_statements(schema.effect))
        if is_open or may_stop or self._is_hidden(self.rules.reads(exprs), now - {size}):
            return None
        me = {schema.me.id: n.Const(0, n.BoolT())}
        return tuple(
            (type(s), tuple(substitute(e, me) for e in statement_exprs(s)))
            for s in walk_statements(found)
            if self._leads_to(s, size)
        )

    def _outermost(self, statements: Iterable[n.CoreStmt], size: int) -> Iterator[n.CoreStmt]:
        return (s for s in statements if self._leads_to(s, size))

    def _leads_to(self, s: n.CoreStmt, size: int) -> bool:
        return any(v.index == size for x in walk_statements((s,)) for v in self._writes(x))

    # ---------------------------------------------------------------------------------- plies that nobody notices

    def _unnoticed(self, block: n.Block) -> Numbers:
        """The sizes that change with a ply of which somebody may not learn that it was made: nothing that all see changes for
        certain, and the game stops where it looks the same."""
        end, found = block.end, set[int]()
        ways: list[tuple[n.Alt | None, int]] = [(None, t) for t in targets(end)]
        if isinstance(end, n.Decide):
            ways = [(a, a.target) for a in end.alternatives]
            ways += [] if end.may_pass is None else [(None, end.may_pass)]
        elif isinstance(end, n.DecideTogether):
            ways = [(a, end.target) for a in end.alternatives]
        for alt, target in ways:
            found |= self._changed_unnoticed(block, alt, target)
        return frozenset(found & self.sizes)

    def _changed_unnoticed(self, block: n.Block, alt: n.Alt | None, target: int) -> set[int]:
        later, certain = self._later(target), self._certain(alt)
        if certain.difference(later):
            return set()
        written_here = self._all_written(alt)
        found, seen, todo = set[int](), set[tuple[int, int]](), [(target, 0)]
        while todo:
            at, turned = todo.pop()
            if (at, turned) in seen:
                continue
            seen.add((at, turned))
            now = self.blocks[at]
            if any(self._is_certain(s, written_here, later) for s in now.statements):
                continue
            found |= {v.index for s in walk_statements(now.statements) for v in self._writes(s)}
            turned = self._turned(block.end, now.statements, turned)
            if is_stop(now) and not (self._looks_other(block, now) or turned == 1):
                return found | written_here
            todo += [(t, turned) for t in self._onward(now)]
        return set()

    def _is_certain(self, s: n.CoreStmt, before: set[int], later: Sequence[int]) -> bool:
        """Whether everybody sees for certain that a statement of a block after a move has changed something."""
        var = written(s)
        is_only = var is not None and var.index not in before and later.count(var.index) == 1
        return is_only and var is not None and var.seen == "all" and var.role != "temp" and self._changes(s)

    def _looks_other(self, one: n.Block, other: n.Block) -> bool:
        return (look_of(one.end), one.phase, one.part) != (look_of(other.end), other.phase, other.part)

    def _turned(self, end: n.Terminator, statements: tuple[n.CoreStmt, ...], before: int) -> int:
        """How often the turn has passed to another player: 0, 1, or 2 for what is not known."""
        if not isinstance(end, n.SoloDecision) or not isinstance(end.seat, n.Get):
            return 2
        turned = before
        for s in walk_statements(statements):
            if end.seat.var in self._writes(s):
                passes = s in statements and isinstance(s, n.Assign) and _passes_on(s, end.seat)
                turned = 1 if passes and turned == 0 else 2
        return turned

    def _onward(self, block: n.Block) -> tuple[int, ...]:
        """The blocks that may follow without a stop: after a decision, if there is no move."""
        if not is_stop(block):
            return targets(block.end)
        return (block.end.stuck,) if isinstance(block.end, n.Decide) and block.end.stuck is not None else ()

    def _stops_after(self, block: int) -> frozenset[object]:
        stops = [self.blocks[i] for i in self._blocks_before_stop(block) if is_stop(self.blocks[i])]
        return frozenset((look_of(b.end), b.phase, b.part) for b in stops)

    def _blocks_before_stop(self, block: int) -> set[int]:
        seen, todo = set[int](), [block]
        while todo:
            at = todo.pop()
            if at not in seen:
                seen.add(at)
                todo += self._onward(self.blocks[at])
        return seen

    # ------------------------------------------------------------------------------------------ ways told apart

    def _chosen_ways(self, block: n.Block, now: Numbers) -> set[int]:
        end = block.end
        if isinstance(end, n.Decide):
            ways: list[tuple[n.Alt | None, int]] = [(a, a.target) for a in end.alternatives]
            ways += [(None, way) for way in (end.may_pass, end.stuck) if way is not None]
            if all(a[1] == b[1] or self._differ(a, b) for i, a in enumerate(ways) for b in ways[:i]):
                return set()
        return super()._chosen_ways(block, now)

    def _are_told_apart(self, block: n.Block, looks: list[frozenset[object]]) -> bool:
        """After an outcome of chance nobody sees that chance is due once more."""
        is_due = any(look[0] == "Chance" for found in looks for look in found)  # type: ignore[index]
        return super()._are_told_apart(block, looks) and not (is_due and block.index in self.after_chance)

    def _differ(self, one: tuple[n.Alt | None, int], other: tuple[n.Alt | None, int]) -> bool:
        """Whether everybody can tell two ways apart: the next stops look different, or one changes what the other does not
        write."""
        if self._first_stops(one[1]).isdisjoint(self._first_stops(other[1])):
            return True
        return any(
            self._certain(a).difference(self._later(way), self._later(there), self._all_written(b))
            for (a, way), (b, there) in ((one, other), (other, one))
        )

    def _certain(self, alt: n.Alt | None) -> set[int]:
        """The variables that everybody sees changed by a move, once and certainly."""
        effect = () if alt is None else self.program.schemas[alt.schema].effect
        if any(isinstance(s, n.StopS | n.Effect) for s in walk_statements(effect)):
            return set()
        every = [v.index for s in walk_statements(effect) for v in self._writes(s)]
        found = {v.index for s in effect if self._changes(s) for v in self._writes(s) if v.seen == "all"}
        return {i for i in found - self.helpers if every.count(i) == 1}

    def _changes(self, s: n.CoreStmt) -> bool:
        """Whether a statement certainly changes what it writes."""
        if isinstance(s, n.Assign) and isinstance(s.var.type, n.IntT):
            value = plain(s.value)
            same = plain(n.Get(s.var, s.keys, s.var.type))
            return (
                isinstance(value, n.Op2)
                and value.op == "add"
                and value.left == same
                and isinstance(value.right, n.Const)
            )
        return isinstance(s, n.PushS | n.PopS) or id(s) in self.counted.grown

    def _all_written(self, alt: n.Alt | None) -> set[int]:
        effect = () if alt is None else self.program.schemas[alt.schema].effect
        return {v.index for s in walk_statements(effect) for v in self._writes(s)}

    def _later(self, block: int) -> list[int]:
        """The variables that may be written from a block on, before the game stops; one entry for each statement."""
        blocks = (self.blocks[i] for i in self._blocks_before_stop(block))
        return [v.index for b in blocks for s in walk_statements(b.statements) for v in self._writes(s)]


def _passes_on(s: n.Assign, seat: n.Get) -> bool:
    """Whether a statement sets the player to act to one who is always another."""
    match s:
        case n.Assign(keys=(), value=n.Lookup(table=table, keys=(n.Get(var=var, keys=()),))) if (
            var == seat.var == s.var
        ):
            return all(value != i for i, value in enumerate(table.values))
        case _:
            return False
