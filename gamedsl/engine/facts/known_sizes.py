"""The hidden collections whose sizes everybody knows: how many cards are in a hand, in a deck, under a cup.

Each gets a helper variable that counts along (``size_changes``). Where the change of a size is not known, the helper is set to
the size, which is hidden. The analysis of what helpers may tell (``helper_flow``) then finds those that depend on nothing but
what everybody sees. A size is known wherever a player decides, or it counts as hidden: so whether it is shown tells nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from gamedsl.engine.facts.helper_flow import Flow, Numbers, look_of
from gamedsl.engine.facts.reads import Reads
from gamedsl.engine.facts.size_changes import Change, SizeChanges, plain
from gamedsl.language.core import (
    free_locals,
    is_stop,
    map_children,
    statement_exprs,
    substitute,
    targets,
    walk_statements,
    written,
)
from gamedsl.language.core import nodes as n

MOST = 10_000  # the highest size that a helper counts; sizes are not computed


def known_sizes(program: n.Program) -> frozenset[int]:
    """Returns the numbers of the hidden variables of a program whose sizes everybody knows wherever players decide: of sets and optional
    values and stacks, for each combination of keys; of maps to numbers from 0 on, the sum for each combination of all keys but
    the last.
    """
    counted = _Counted(program)
    if not counted.helpers:
        return frozenset()
    flow = _SizeFlow(counted)
    unseen = frozenset[int]().union(*flow.solve(), *flow.left)
    return frozenset(number for number, helper in counted.helpers.items() if helper.index not in unseen)


class _Counted:
    """A program with a helper for the sizes of each hidden variable. ``helpers``: by the number of the variable."""

    def __init__(self, whole: n.Program) -> None:
        self.changes = SizeChanges(whole)
        hidden = [v for v in whole.variables if v.seen != "all" and v.role == "state" and _has_sizes(v)]
        first = len(whole.variables)
        self.helpers = {v.index: _helper(v, first + i) for i, v in enumerate(hidden)}
        self.grown: set[int] = set()  # the identities of statements that certainly add something to a set
        self.program = replace(
            whole,
            variables=(*whole.variables, *self.helpers.values()),
            functions=tuple(replace(f, body=self._seen(f.body)) for f in whole.functions),
            schemas=tuple(map(self._schema, whole.schemas)),
            blocks=tuple(map(self._block, whole.blocks)),
        )

    def _schema(self, schema: n.Schema) -> n.Schema:
        guards, forbids = (
            tuple(replace(g, condition=self._seen(g.condition)) for g in found)
            for found in (schema.guards, schema.forbids)
        )
        return replace(schema, guards=guards, forbids=forbids, effect=self._statements(schema.effect))

    def _block(self, block: n.Block) -> n.Block:
        end = block.end
        if isinstance(end, n.BranchT):
            end = replace(end, condition=self._seen(end.condition))
        elif isinstance(end, n.Decision):
            end = replace(end, tick=self._statements(end.tick))
        return replace(block, statements=self._statements(block.statements), end=end)

    def _statements(self, statements: Iterable[n.CoreStmt]) -> tuple[n.CoreStmt, ...]:
        return tuple(t for s in statements for t in self._statement(s))

    def _statement(self, s: n.CoreStmt) -> Iterator[n.CoreStmt]:
        """A statement, and the one that counts along."""
        match s:
            case n.IfS():
                then, otherwise = self._statements(s.then), self._statements(s.otherwise)
                yield replace(s, condition=self._seen(s.condition), then=then, otherwise=otherwise)
            case n.ForS() if (change := self.changes.found.get(id(s))) is not None:
                yield s
                [copied] = s.body
                assert isinstance(copied, n.Assign)
                yield from self._counting(copied.var, copied.keys[:-1], change)
            case n.ForS():
                yield replace(s, over=self._seen(s.over), body=self._statements(s.body))
            case n.Assign(var=var, keys=keys):
                seen = replace(s, keys=tuple(map(self._seen, keys)), value=self._seen(s.value))
                if self.changes.grown.get(id(s)):
                    self.grown.add(id(seen))
                yield seen
                at = keys[:-1] if isinstance(var.type, n.IntT) else keys
                yield from self._counting(var, at, self.changes.found.get(id(s)))
            case n.Reset(var=var):
                yield s
                if var.index in self.helpers:
                    yield n.Reset(self.helpers[var.index])
            case n.PushS(var=var, keys=keys) | n.PopS(var=var, keys=keys):
                yield s
                yield from self._counting(var, keys, Change(1 if isinstance(s, n.PushS) else -1))
            case _:
                yield s
                if (other := written(s)) is not None:
                    yield from self._counting(other, (), None)

    def _counting(self, var: n.Var, keys: tuple[n.Expr, ...], change: Change | None) -> Iterator[n.CoreStmt]:
        helper = self.helpers.get(var.index)
        if helper is None:
            return
        keys, type = tuple(map(self._seen, keys)), n.IntT(0, MOST)
        hidden = n.Get(var, (), n.BoolT())  # what was not worked out depends on the variable
        if change is None:
            yield n.Assign(helper, keys, hidden)
            return
        value: n.Expr = n.Const(change.by, type) if change.is_new else n.Get(helper, keys, type)
        if change.all_of is not None:
            source = self.helpers.get(change.all_of.var.index)
            more = hidden if source is None else n.Get(source, change.all_of.keys, type)
            value = n.Op2("add", value, more, type)
        yield n.Assign(helper, keys, value if change.is_new else n.Op2("add", value, n.Const(change.by, type), type))

    def _seen(self, e: n.Expr) -> n.Expr:
        """An expression that reads helpers where it asks for nothing but the size of a collection."""
        match e:
            case n.StackOp(op="height", var=var, keys=keys) if var.index in self.helpers:
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case n.Op1(op="count" | "is_empty" | "is_none", operand=n.Get(var=var, keys=keys)) if (
                var.index in self.helpers
            ):
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case n.Op2(op="eq" | "ne", left=n.Get(var=var, keys=keys), right=n.Const(value=0)) if (
                var.index in self.helpers and not isinstance(var.type, n.IntT)
            ):
                return n.Get(self.helpers[var.index], tuple(map(self._seen, keys)), e.type)
            case _:
                return map_children(e, self._seen)


def _has_sizes(var: n.Var) -> bool:
    is_row = isinstance(var.type, n.IntT) and var.type.low == 0 and bool(var.keys)
    return is_row or isinstance(var.type, n.SetT | n.OptT | n.StackT)


def _helper(var: n.Var, index: int) -> n.Var:
    keys = var.keys[:-1] if isinstance(var.type, n.IntT) else var.keys
    slots = 1
    for key in keys:
        slots *= key.size
    return n.Var(index, f"size of {var.name}", n.IntT(0, MOST), keys, (0,) * slots, role="temp", part=var.part)


class _SizeFlow(Flow):
    """Which helpers may tell something hidden. ``left``: those that may do so after a block."""

    def __init__(self, counted: _Counted) -> None:
        super().__init__(Reads(counted.program))
        self.counted = counted
        self.sizes = frozenset(v.index for v in counted.helpers.values())
        self.left: list[Numbers] = []

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
