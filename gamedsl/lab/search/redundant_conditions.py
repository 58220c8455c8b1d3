"""Finds redundant conditions: those that refuse no move that the conditions before them allow.

Kinds of moves that the options disable (a condition is constantly false) are ignored.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import field
from itertools import islice, product
from math import prod
from random import Random

from gamedsl.engine import Game, Move, RulesError, SchemaCode, State, mover_of, open_movers
from gamedsl.lab.base import Clock, is_disabled, varying_conditions
from gamedsl.language.core import limits
from gamedsl.language.core import nodes as n
from gamedsl.language.source import Span, lazy_dataclass

REMEMBERED = 400  # legal moves of a kind that are kept to try in other positions


@lazy_dataclass()
class _Open:
    """The conditions of one kind of move that have refused nothing yet, by number; forbids follow guards."""

    schema: n.Schema
    code: SchemaCode
    left: set[int]
    legal: list[tuple[int, ...]] = field(default_factory=list)

    @property
    def conditions(self) -> tuple[n.CoreGuard, ...]:
        return *self.schema.guards, *self.schema.forbids

    def remember(self, args: tuple[int, ...]) -> None:
        """Keeps a legal move's arguments to try again elsewhere; the oldest are dropped."""
        self.legal.append(args)
        if len(self.legal) > REMEMBERED:
            del self.legal[: REMEMBERED // 2]

    def likely_args(self, state: State, mover: int, most: int, rng: Random) -> list[tuple[int, ...]]:
        """Returns arguments that were legal elsewhere, some with one of them changed, and arguments that only forbids
        refuse.
        """
        found = [rng.choice(self.legal) for _ in range(most)] if self.legal else []
        for args in found[: most // 2]:
            i = rng.randrange(len(args)) if args else 0
            found.append(tuple(rng.randint(*self._span(j)) if j == i else x for j, x in enumerate(args)))
        if self.left and max(self.left) >= len(self.code.guards):
            found += islice(self.code.attempts(list(state.slots), mover), 4 * most)
        return found

    def _span(self, i: int) -> tuple[int, int]:
        return limits(self.schema.params[i].local.type)

    def ask(self, state: State, mover: int, args: tuple[int, ...]) -> None:
        """Records the first condition that refuses this move, if any."""
        try:
            refusing = self._refusing(state, mover, args)
        except RulesError:
            return
        self.left.discard(refusing)

    def _refusing(self, state: State, mover: int, args: tuple[int, ...]) -> int:
        if not self.code.ranges(state.slots, mover, *args):
            return -1
        for i, guard in enumerate(self.code.guards):
            if not guard(state.slots, mover, *args):
                return i
        if self.left and max(self.left) >= len(self.code.guards):
            return self._forbidding(state, mover, args)
        return -1

    def _forbidding(self, state: State, mover: int, args: tuple[int, ...]) -> int:
        s = list(state.slots)
        tick = state.game.code.blocks[state.block].tick
        if tick is not None:
            tick(s)
        self.code.effect(s, mover, *args)
        for i, forbid in enumerate(self.code.forbids):
            if forbid(s, mover, *args):
                return len(self.code.guards) + i
        return -1

    @property
    def width(self) -> int:
        """The number of argument tuples."""
        return prod(high - low + 1 for low, high in (limits(p.local.type) for p in self.schema.params))

    def all_args(self) -> Iterator[tuple[int, ...]]:
        return product(*(range(low, high + 1) for low, high in (limits(p.local.type) for p in self.schema.params)))

    def some_args(self, rng: Random) -> Iterator[tuple[int, ...]]:
        spans = [limits(p.local.type) for p in self.schema.params]
        while True:
            yield tuple(rng.randint(low, high) for low, high in spans)


class Refusals:
    """The conditions of all kinds of moves, with those that have refused no move so far."""

    def __init__(self, game: Game) -> None:
        program = game.program
        asked = {a.schema for b in program.blocks for a in getattr(b.end, "alternatives", ())}
        self.watched = {
            k: _Open(s, game.code.schemas[k], varying_conditions(s))
            for k, s in enumerate(program.schemas)
            if k in asked and not s.mistake and not is_disabled(s)
        }
        varying = [w.conditions[i].span for w in self.watched.values() for i in w.left]
        self.kinds = Counter(varying)
        self.total = len(self.kinds)

    @property
    def left(self) -> int:
        """The number of conditions that have refused nothing so far; a shared condition counts once for each kind of
        move.
        """
        return sum(len(w.left) for w in self.watched.values())

    def idle(self) -> list[n.CoreGuard]:
        """Returns the conditions that have refused nothing so far, each once."""
        found = [w.conditions[i] for w in self.watched.values() for i in sorted(w.left)]
        return list({g.span: g for g in found}.values())

    def refused(self) -> list[tuple[int, int]]:
        """Returns the numbers of the kinds of moves and of their conditions that have refused something."""
        whole = ((k, varying_conditions(w.schema) - w.left) for k, w in sorted(self.watched.items()))
        return [(k, i) for k, refusing in whole for i in sorted(refusing)]

    def add(self, refused: Iterable[tuple[int, int]]) -> None:
        """Discards conditions that have refused something in other games."""
        before = self.left
        for k, i in refused:
            if k in self.watched:
                self.watched[k].left.discard(i)
        self._report(before)

    def discard(self, refusing: set[Span]) -> None:
        """Discards conditions known to refuse something. A shared condition need not do so for each kind."""
        for w in self.watched.values():
            w.left -= {i for i in w.left if w.conditions[i].span in refusing}

    def _report(self, before: int) -> bool:
        """Returns whether another condition has refused; if so, discards it for all kinds that share it."""
        if self.left == before:
            return False
        left = Counter(w.conditions[i].span for w in self.watched.values() for i in w.left)
        self.discard({span for span, kinds in self.kinds.items() if left[span] < kinds})
        return True

    def look(self, state: State, most: int, rng: Random, clock: Clock | None = None) -> bool:
        """Tries all moves of each kind in a state, or a random sample. Returns whether another condition has refused.

        Raises ``OutOfTime`` when the clock runs out.
        """
        before, clock = self.left, clock or Clock()
        for mover, kinds in _movers(state):
            for one in (self.watched[k] for k in kinds if k in self.watched and self.watched[k].left):
                for a in one.all_args() if one.width <= most else islice(one.some_args(rng), most):
                    clock.check()
                    one.ask(state, mover, a)
        return self._report(before)

    def look_closely(self, state: State, most: int, rng: Random) -> bool:
        """Does the same with moves likely to be refused late: moves that were legal in other positions."""
        before = self.left
        for mover, kinds in _movers(state):
            for one in (self.watched[k] for k in kinds if k in self.watched and self.watched[k].left):
                for a in one.likely_args(state, mover, most, rng):
                    one.ask(state, mover, a)
        return self._report(before)

    def remember(self, move: Move) -> None:
        """Keeps a legal move to try it in other positions."""
        if move.schema in self.watched:
            self.watched[move.schema].remember(move.args)


def _movers(state: State) -> Iterator[tuple[int, list[int]]]:
    """Yields the players who choose a move in a state (players of the part), each with the kinds of moves offered."""
    end = state.terminator
    if isinstance(end, n.Decide):
        mover = mover_of(state, None)
        assert mover is not None
        yield mover, [a.schema for a in end.alternatives]
    elif isinstance(end, n.DecideTogether):
        yield from ((mover, [a.schema for a in end.alternatives]) for mover in open_movers(state))
