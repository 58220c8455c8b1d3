"""Constant propagation over blocks: the variables that have the same value whenever the game reaches a block.

A forward data-flow analysis. Variables with keys count as one: they are known as long as nothing writes a slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from gamedsl.language.core import nodes as n
from gamedsl.language.core.block_graph import BlockGraph
from gamedsl.language.core.constant_folding import fold
from gamedsl.language.core.traverse import map_children, terminator_tick, walk_statements

MOST_ROUNDS = 40  # of a loop that are followed
MOST_DROPPED = 20  # variables that keep changing
Known = dict[int, tuple[int, ...]]  # the values of the variables that have only these, by index


class Constants:
    """The known values at each block. ``start``: the first block, with ``known`` there (by default the entry, with the
    initial values); ``within``: only paths through these blocks count; ``cut``: edges back to these heads of loops do
    not count.
    """

    def __init__(
        self,
        graph: BlockGraph,
        *,
        start: int | None = None,
        known: Known | None = None,
        within: frozenset[int] | None = None,
        cut: frozenset[int] = frozenset(),
    ) -> None:
        self.graph = graph
        self.program: n.Program = graph.program
        self.start = self.program.entry if start is None else start
        self.known = {v.index: v.initial for v in self.program.variables} if known is None else known
        self.within = within
        self.cut = cut

    @cached_property
    def at_start(self) -> list[Known | None]:
        """The known values at the start of every block; None if the block is never reached."""
        found: list[Known | None] = [None] * len(self.program.blocks)
        found[self.start] = self.known
        todo = [self.start]
        while todo:
            block = todo.pop(0)
            for target, known in self.leaving(block, found[block] or {}):
                if self._is_cut(block, target):
                    continue
                joined = _join(found[target], known)
                if joined != found[target]:
                    found[target] = joined
                    todo.append(target)
        return found

    def _is_cut(self, block: int, target: int) -> bool:
        outside = self.within is not None and target not in self.within
        return outside or (target in self.cut and self.graph.is_back_edge(block, target))

    def at(self, block: int, index: int) -> Known | None:
        """Returns the known values before a statement of a block, by its number; None if the block is never reached."""
        known = self.at_start[block]
        return None if known is None else self.after(self.program.blocks[block].statements[:index], known)

    def coming_back(self, head: int) -> Known | None:
        """Returns the known values whenever a loop returns to its head; None if it never does."""
        found: Known | None = None
        for block in self.graph.before[head]:
            known = self.at_start[block]
            if known is not None and self.graph.is_back_edge(block, head):
                for target, leaving in self.leaving(block, known):
                    found = _join(found, leaving) if target == head else found
        return found

    # ------------------------------------------------------------------------------------------------- the transfer

    def leaving(self, block: int, known: Known) -> Iterator[tuple[int, Known]]:
        """Yields the target of every edge out of a block, and the known values on it."""
        b = self.program.blocks[block]
        known = self.after(b.statements, known)
        ticked = self.after(terminator_tick(b.end), known)
        match b.end:
            case n.BranchT(condition, yes, no):
                value = value_of(condition, known)
                for target, answer in ((yes, True), (no, False)):
                    if value is None or bool(value) == answer:
                        yield target, _given(condition, answer, known)
            case n.Decide():
                for alt in b.end.alternatives:
                    made = self.after(self.program.schemas[alt.schema].effect, ticked)
                    yield alt.target, _without(made, (v.index for v in alt.registers))
                yield from ((target, known) for target in (b.end.stuck,) if target is not None)
                yield from ((target, ticked) for target in (b.end.may_pass,) if target is not None)
            case n.DecideTogether(target=target):
                yield target, _without(ticked, self.graph.end_writes[block])
            case n.Choose(target=target, var=var) | n.DecideDrawing(target=target, var=var):
                yield target, _without(ticked, (var.index,))
            case n.Chance(target=target, result=var):
                yield target, _without(known, (var.index,))
            case _:
                yield from ((target, known) for target in self.graph.after[block])

    def after(self, statements: tuple[n.CoreStmt, ...], known: Known) -> Known:
        """Returns the known values after statements."""
        if any(isinstance(s, n.StopS) for s in walk_statements(statements)):
            return _without(known, self.graph.writes(statements))
        for s in statements:
            known = self._after_one(s, known)
        return known

    def _after_one(self, s: n.CoreStmt, known: Known) -> Known:
        match s:
            case n.Assign(var=var, keys=()):
                value = value_of(s.value, known)
                return {**known, var.index: (value,)} if value is not None else _without(known, (var.index,))
            case n.Reset(var=var):
                return {**known, var.index: var.initial}
            case n.IfS(condition, then, otherwise):
                value = value_of(condition, known)
                if value is not None:
                    return self.after(then if value else otherwise, known)
                yes = self.after(then, _given(condition, True, known))
                return _join(yes, self.after(otherwise, _given(condition, False, known)))
            case n.Effect(schema=schema):
                return self.after(self.program.schemas[schema].effect, known)
            case _:
                return _without(known, self.graph.writes((s,)))


def eventually(graph: BlockGraph, head: int, known: Known) -> Known:
    """Returns the known values at the head of a loop after many rounds, if ``known`` holds before the first: those
    that a further round does not change. Variables that keep changing are omitted.
    """
    loop = graph.loop(head)
    first = known
    for _ in range(MOST_DROPPED):
        rounds = [first]
        while len(rounds) <= MOST_ROUNDS:
            found = Constants(graph, start=head, known=rounds[-1], within=loop, cut=frozenset((head,)))
            back = found.coming_back(head)
            if back is None:
                break
            if back == rounds[-1]:
                return back
            rounds.append(back)
        last, now = rounds[-2:] if len(rounds) > 1 else (first, {})
        changing = [i for i in first if last.get(i) != now.get(i)]
        first = _without(first, changing) if changing else {}
    return {}


def value_of(e: n.Expr, known: Known) -> int | None:
    """Returns the value of an expression; None if the known values do not determine it."""
    found = fold(_filled(e, known))
    return found.value if isinstance(found, n.Const) else None


def _filled(e: n.Expr, known: Known) -> n.Expr:
    if isinstance(e, n.Get) and not e.keys:
        values = known.get(e.var.index)
        return n.Const(values[0], e.type) if values is not None else e
    return map_children(e, lambda x: _filled(x, known))


def _given(condition: n.Expr, answer: bool, known: Known) -> Known:
    """Returns the known values if a condition has this answer."""
    match condition:
        case n.Get(var=var, keys=()):
            return {**known, var.index: (int(answer),)}
        case n.Op1(op="not", operand=inner):
            return _given(inner, not answer, known)
        case n.Op1(op="is_none" | "is_empty", operand=n.Get(var=var, keys=())) if answer:
            return {**known, var.index: (0,)}
        case n.Op2(op="and", left=left, right=right) if answer:
            return _given(right, True, _given(left, True, known))
        case n.Op2(op="or", left=left, right=right) if not answer:
            return _given(right, False, _given(left, False, known))
        case n.Op2(op="eq", left=n.Get(var=var, keys=()), right=right) if answer:
            return _with_value(known, var.index, value_of(right, known))
        case n.Op2(op="eq", right=n.Get(var=var, keys=()), left=left) if answer:
            return _with_value(known, var.index, value_of(left, known))
        case _:
            return known


def _with_value(known: Known, index: int, value: int | None) -> Known:
    return known if value is None else {**known, index: (value,)}


def _without(known: Known, indices: Iterable[int]) -> Known:
    gone = frozenset(indices)
    return {i: values for i, values in known.items() if i not in gone}


def _join(one: Mapping[int, tuple[int, ...]] | None, other: Known) -> Known:
    """Returns the known values in both cases."""
    return dict(other) if one is None else {i: v for i, v in one.items() if other.get(i) == v}
