"""The hidden collections whose sizes everybody knows: how many cards are in a hand, in a deck, under a cup.

Each gets a helper variable that counts along (``size_changes``). Where the change of a size is not known, the helper is set to
the size, which is hidden. The analysis of what helpers may tell (``helper_flow``) then finds those that depend on nothing but
what everybody sees. A size is known wherever a player decides, or it counts as hidden: so whether it is shown tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.engine.facts.counted_program import CountedProgram
from gamedsl.engine.facts.helper_flow import Flow, Numbers
from gamedsl.engine.facts.reads import Reads
from gamedsl.language.core import free_locals, statement_exprs, substitute, targets, walk_statements
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

    def _lag(self, block: n.Block) -> None:
        """Sizes are asked for where players decide, so all outcomes of chance have come by then."""
        if isinstance(block.end, n.Decision):
            super()._lag(block)

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

    def _changes(self, s: n.CoreStmt) -> bool:
        """Sets that certainly grow are known here."""
        return super()._changes(s) or id(s) in self.counted.grown
