"""The places in the course of play at which a position can be written.

A decision has two: the beginning of the turn that leads to it (``before plays go``), and the decision itself (``plays
go``). From the beginning of a turn, everything that the rules do before the decision is carried out.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from gamedsl.engine.play.advance import advance, resume
from gamedsl.engine.positions.stops import stop_names
from gamedsl.engine.translate.statements import free_in
from gamedsl.engine.values import Slots, Value, first_value
from gamedsl.language.core import BlockGraph, Constants, eventually, live_before, live_variables, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import Game, State

BEFORE = "before "
COMPUTED_BEFORE = "the rules compute it before this turn, and neither the board nor the player to move determines it"
COMPUTED_IN_THE_TURN = "the turn computes it, and this place comes after the beginning of the turn"
_FROM_THE_BOARD = (
    "piece",
    "count",
    "viewers",
)  # roles of variables that keep their initial values unless a position names them


@lazy_dataclass(frozen=True, eq=False)
class Place:
    """A point in the course of play: before the statement ``index`` of a block. ``decision``: the stop it is named
    after; ``mover``: the variable that says whose turn it is; ``live``: the variables whose values matter from here on;
    ``values``: the values of variables that a position does not name; ``missing``: the variables that it must name,
    each with the reason."""

    name: str
    decision: int
    block: int
    index: int
    mover: n.Var | None
    live: frozenset[int]
    values: tuple[tuple[Value, ...], ...]
    missing: dict[int, str]

    @property
    def is_exact(self) -> bool:
        """Whether this is the stop itself, with everything carried out before it."""
        return not self.name.startswith(BEFORE)

    @property
    def slots(self) -> Slots:
        """The values of all slots."""
        return [x for values in self.values for x in values]


class Places:
    """All places of a program."""

    def __init__(self, program: n.Program) -> None:
        self.program = program
        self.graph = BlockGraph(program)
        self.names = stop_names(program)
        self._made: dict[tuple[int, int, int, bool], Place] = {}
        self._runs: dict[tuple[int, int], Callable[[Slots], object]] = {}

    def run(self, game: Game, place: Place, slots: Slots) -> State:
        """The state at the first stop from a place on."""
        if place.index == 0:
            return advance(game, slots, place.block)
        rest = self.program.blocks[place.block].statements[place.index :]
        if rest:
            key = (place.block, place.index)
            if key not in self._runs:
                self._runs[key] = game.code.compile_statements(rest)
            self._runs[key](slots)
        return resume(game, slots, place.block)

    # ---------------------------------------------------------------------------------------------- names of places

    @cached_property
    def by_name(self) -> dict[str, int]:
        """The stops by the names of their places; the names of beginnings of turns start with ``before``."""
        exact = {name: block for block, name in self.names.items()}
        return exact | {BEFORE + name: block for name, block in exact.items() if self.begins_turn(block)}

    def begins_turn(self, decision: int) -> bool:
        """Whether a decision can be the first of a turn."""
        return not self._is_over(decision) and self._turn(decision) == self._beginning(decision)

    def named(self, name: str) -> Place:
        """The place of this name."""
        block = self.by_name[name]
        return self.before(block) if name.startswith(BEFORE) else self.exactly(block)

    def _is_over(self, block: int) -> bool:
        return not self.graph.after[block]

    @cached_property
    def first_decision(self) -> int:
        """The decision that a game reaches first, as far as the blocks show; the first stop if nobody ever decides."""
        seen, todo = {self.program.entry}, [self.program.entry]
        while todo:
            block = todo.pop(0)
            if self.graph.is_decision(block) and not self._is_over(block):
                return block
            fresh = [b for b in self.graph.after[block] if b not in seen]
            seen.update(fresh)
            todo += fresh
        return next(iter(self.names))

    # ------------------------------------------------------------------------------------------------------ points

    def before(self, decision: int) -> Place:
        """The beginning of the turn that leads to a decision; the decision itself if the rules have no turns there."""
        mover = mover_at(self.program, decision)
        block, index = self._beginning(decision)
        return self._place(decision, block, index, mover, exact=False)

    def exactly(self, decision: int) -> Place:
        """The end of the block of a stop."""
        length = len(self.program.blocks[decision].statements)
        return self._place(decision, decision, length, mover_at(self.program, decision), exact=True)

    def later(self, decision: int, given: frozenset[int]) -> Place | None:
        """The earliest point of a turn after which none of the given variables is written before the decision."""
        mover = mover_at(self.program, decision)
        start, _ = self._beginning(decision)
        for block in self.graph.chain(decision):
            if start in self.graph.dominators[block]:
                index = self._index_after(block, given, decision)
                if index is not None and not given & self._written_on_the_way(block, decision):
                    return self._place(decision, block, index, mover, exact=False)
        return None

    def standing(self, place: Place, named: Collection[int]) -> Place | None:
        """The place of a position that names these variables: ``place``, or a later point of the turn if it names
        results of a chance event (the dice). None if there is no such point."""
        given = self.waits_for(place.decision).intersection(named)
        starts_turn = (place.block, place.index) == self._beginning(place.decision)
        return self.later(place.decision, given) if given and starts_turn else place

    def waits_for(self, decision: int) -> frozenset[int]:
        """The variables that may be written between a chance event of the turn and its decision."""
        start, _ = self._beginning(decision)
        found: frozenset[int] = frozenset()
        for block in self.graph.region(start):
            if isinstance(self.program.blocks[block].end, n.Chance):
                found |= self.graph.end_writes[block]
                for b in self.graph.region(self.graph.after[block][0]):
                    found |= self.graph.writes(self.program.blocks[b].statements)
        return found

    def written_on_the_way(self, place: Place) -> frozenset[int]:
        """The variables that may be written from a place until a player acts."""
        written = self.graph.writes(self.program.blocks[place.block].statements[place.index :])
        for block in self.graph.region(place.block) - {place.block}:
            written |= self.graph.writes(self.program.blocks[block].statements)
        return written

    def noted_on_the_way(self, place: Place) -> frozenset[int]:
        """The histories in which positions may be noted from a place until a player acts."""
        written = self.written_on_the_way(place)
        return frozenset(i for i in written if isinstance(self.program.variables[i].type, n.HistoryT))

    def decisions_after(self, block: int) -> list[int]:
        """The decisions that a chance event may lead to; the event itself if none follows."""
        region = self.graph.region(block) - {block}
        return [b for b in sorted(region) if self.graph.is_decision(b) and not self._is_over(b)] or [block]

    def _beginning(self, decision: int) -> tuple[int, int]:
        """The point where the turn of a decision begins; the decision itself if another one comes before it in the
        turn."""
        block, index = self._turn(decision)
        exact = (decision, len(self.program.blocks[decision].statements))
        return (block, index) if self._is_direct(block, decision) else exact

    def _turn(self, decision: int) -> tuple[int, int]:
        """The first point of the turn to which a stop belongs; there may be other decisions before it."""
        exact = (decision, len(self.program.blocks[decision].statements))
        return next(self._points(decision, mover_at(self.program, decision)), exact)

    def _points(self, decision: int, mover: n.Var | None) -> Iterator[tuple[int, int]]:
        """The points of the turn on every path to a stop: those from which the player to move stays the same. If nobody
        is to move, or always the same player, a turn is a round of the innermost loop."""
        chain = self.graph.chain(decision)
        if mover is None:
            head = self.graph.innermost_loop(decision)
            yield from ((b, 0) for b in chain if head is not None and head in self.graph.dominators[b])
            return
        for block in chain:
            index = self._index_after(block, frozenset((mover.index,)), decision)
            if index is not None and mover.index not in self._written_on_the_way(block, decision):
                yield block, index

    def _is_direct(self, block: int, decision: int) -> bool:
        """Whether there is a path to the decision on which nobody acts."""
        return decision in self.graph.region(block) and (block == decision or not self.graph.is_decision(block))

    def _written_on_the_way(self, block: int, decision: int) -> frozenset[int]:
        """The variables that are written between the end of a block and a decision, on all paths that do not pass the
        block again."""
        if block == decision:
            return frozenset()
        inner = self.graph.between(block, decision) - {block}
        found: frozenset[int] = frozenset()
        for b in inner:
            found |= self.graph.writes(self.program.blocks[b].statements)
        for b in inner | {block}:
            if inner & set(self.graph.after[b]):
                found |= self.graph.end_writes[b]
        return found

    def _index_after(self, block: int, variables: frozenset[int], decision: int) -> int | None:
        """The number of the statement after the last one that writes one of the variables; None if the statements from
        there on need a local name bound by an earlier one."""
        statements = self.program.blocks[block].statements
        index = next(
            (i for i in range(len(statements), 0, -1) if variables & self.graph.writes((statements[i - 1],))), 0
        )
        return None if free_in(statements[index:]) else index

    # ------------------------------------------------------------------------------------------------------- values

    def _place(self, decision: int, block: int, index: int, mover: n.Var | None, exact: bool) -> Place:
        key = (decision, block, index, exact)
        if key not in self._made:
            start = self._turn(decision)
            inner = self._of_the_turn(decision) if (block, index) != start else frozenset()
            known = {i: x for i, x in self._known(*start).items() if i not in inner} | self._known(block, index)
            values = tuple(
                tuple(first_value(v.type, i) for i in known.get(v.index, v.initial)) for v in self.program.variables
            )
            name = ("" if exact else BEFORE) + self.names[decision]
            live = live_before(self.program, block, index)
            unknown = live - known.keys() - (self.waits_for(decision) if (block, index) == start else frozenset())
            missing = {} if self._is_over(decision) else self._missing(unknown, inner)
            self._made[key] = Place(name, decision, block, index, mover, live, values, missing)
        return self._made[key]

    def _missing(self, unknown: frozenset[int], inner: frozenset[int]) -> dict[int, str]:
        """The variables that a position must name, with the reasons."""
        found: dict[int, str] = {}
        for var in self.program.variables:
            if var.index in unknown and var.role not in _FROM_THE_BOARD and not isinstance(var.type, n.HistoryT):
                found[var.index] = COMPUTED_IN_THE_TURN if var.index in inner else COMPUTED_BEFORE
        return found

    def _known(self, block: int, index: int) -> dict[int, tuple[int, ...]]:
        """The values that variables have here in the middle of a game, or else those that they have the first time.
        Pieces are not among them, because a position places them."""
        heads = frozenset(b for b in self.graph.chain(block) if block in self.graph.loop(b))
        first = Constants(self.graph, cut=heads).at(block, index) or {}
        told = {v.index for v in self.program.variables if v.role in _FROM_THE_BOARD}
        return {i: x for i, x in (first | self._steady(block, index)).items() if i not in told}

    def _steady(self, block: int, index: int) -> dict[int, tuple[int, ...]]:
        """The values that variables have here after some rounds of the innermost loop."""
        head = self.graph.innermost_loop(block)
        if head is None:
            return Constants(self.graph).at(block, index) or {}
        heads = frozenset(b for b in self.graph.chain(head) if head in self.graph.loop(b))
        known = eventually(self.graph, head, Constants(self.graph, cut=heads).at(head, 0) or {})
        loop, cut = self.graph.loop(head), frozenset((head,))
        return Constants(self.graph, start=head, known=known, within=loop, cut=cut).at(block, index) or {}

    def _of_the_turn(self, decision: int) -> frozenset[int]:
        """The variables without a value of their own at the beginning of a turn: their later values are computed in
        it."""
        block, index = self._turn(decision)
        live, known = live_before(self.program, block, index), self._steady(block, index)
        return frozenset(v.index for v in self.program.variables if v.index not in live or v.index in known)


def mover_at(program: n.Program, block: int) -> n.Var | None:
    """The variable that alone determines whose turn it is at a stop; None if it is always the same player's, or if
    several variables do. A chance event belongs to the turn of the only player that is remembered there."""
    match program.blocks[block].end:
        case n.SoloDecision(mover=n.Get(var=var)):
            return var if not var.keys and isinstance(var.type, n.ElemT) and var.role == "temp" else None
        case n.Chance():
            players = program.parts[program.blocks[block].part].players
            live = live_variables(program)[1][block]
            found = [
                v for v in program.variables if v.index in live and v.role == "temp" and v.type == n.ElemT(players)
            ]
            return found[0] if len(found) == 1 and not found[0].keys else None
        case _:
            return None


def sources(program: n.Program, mover: n.Var) -> frozenset[int]:
    """The helper variables from which the player to move is computed, as in ``for p in players``."""
    read = (
        x.var
        for block in program.blocks
        for s in block.statements
        if isinstance(s, n.Assign) and s.var == mover
        for x in walk(s.value)
        if isinstance(x, n.Get)
    )
    return frozenset(v.index for v in read if v != mover and v.role == "temp")


@lru_cache(maxsize=8)
def places_of(game: Game) -> Places:
    """The places in the course of play at which a position can stand."""
    return Places(game.program)
