"""What exactly a seat can infer of a ply from everything that it has observed: a search of all positions that may have
been reached by games that look the same to it.

The number of these positions depends only on the seat's own observations. So giving up at a bound reveals nothing to
it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import lru_cache, reduce
from typing import TYPE_CHECKING, Any

from gamedsl.engine.information.consistent_moves import Inference
from gamedsl.engine.information.observation import seats_to_act, visible_values
from gamedsl.engine.information.plies import moves_made, seen_in_passing
from gamedsl.engine.play import actions as act
from gamedsl.engine.play.history import steps as history_steps
from gamedsl.engine.state import State
from gamedsl.language.core import exprs_of, statement_lists, terminator_exprs, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import Game

Steps = Sequence[tuple[State, "Move | None"]]  # the states of a game, each with the move that led to it
Noticed = tuple[Any, ...]

MOST_POSITIONS = 300  # look the same at most
MOST_WORK = 600_000  # of the moves made to find them, from the beginning of a game on: nodes of the rules, and values
WORK_OF_A_VALUE = 10


@lru_cache(maxsize=8)
def work_of_a_move(game: Game) -> int:
    """A rough cost of making a move and seeing what changes, in nodes of the rules."""
    program = game.program
    conditions = [g.condition for s in program.schemas for g in s.guards]
    conditions += [e for b in program.blocks for e in terminator_exprs(b.end)]
    bodies = [e for statements in statement_lists(program) for e in exprs_of(statements)]
    nodes = sum(1 for e in (*conditions, *bodies, *(f.body for f in program.functions)) for _ in walk(e))
    return nodes + WORK_OF_A_VALUE * sum(v.slots for v in program.variables)


class TooManyPositions(Exception):
    """More positions look the same than the bounds allow."""


class Watcher:
    """A seat, with a cache of what it sees of positions."""

    def __init__(self, seat: int | None) -> None:
        self.seat = seat
        self._seen: dict[State, tuple[Any, Any]] = {}

    def seen(self, state: State) -> tuple[Any, Any]:
        """What the seat sees of a position: the values, and where the game stands."""
        if state not in self._seen:
            acting = tuple(seats_to_act(state, self.seat))
            is_mine = self.seat is not None and self.seat in acting and state.kind != "drawing"
            mine = tuple(state.legal_actions(self.seat)) if is_mine else ()
            place = state.kind, state.phase, state.part, acting, mine, state.returns, state.outcome_text
            self._seen[state] = visible_values(state, self.seat), place
        return self._seen[state]

    def notices(self, stop: State, moves: Sequence[Move], after: State) -> Noticed:
        """The changes that the seat sees when moves are carried out at a stop; empty if it sees none."""
        found: list[Any] = []
        seen, place = self.seen(stop)
        for glimpse in seen_in_passing(stop.game.make_state(stop.block, stop.slots), moves, self.seat) if moves else ():
            if glimpse != seen:
                found.append(glimpse)
                seen = glimpse
        now, here = self.seen(after)
        return (*found, *([now] if now != seen else []), *([here] if here != place else []))

    def notices_ply(self, before: State, move: Move, after: State) -> Noticed:
        """The same as ``notices``, for one ply. The seat always notices its own moves."""
        own = [str(move)] if move.player is not None and move.player == self.seat else []
        return (*own, *self.notices(before, [] if after.pending else moves_made(before, move), after))


class Lookalikes:
    """The positions that look like the actual one to a seat. ``trials``: the number of moves made to find them."""

    def __init__(
        self, seat: int | None, positions: set[State], trials: int = 0, inferred: list[Inference] | None = None
    ) -> None:
        """``inferred``: what the moves that led to these positions have in common."""
        self.seat, self.positions, self.trials, self.inferred = seat, positions, trials, inferred
        self.watcher = Watcher(seat)

    def after(self, before: State, move: Move, after: State) -> Lookalikes:
        """The lookalikes after the actual ply. Raises ``TooManyPositions`` if a bound is exceeded."""
        noticed = Watcher(self.seat).notices_ply(before, move, after)
        if not noticed:
            return self  # whether such a ply was made stays unknown
        own = move if move.player is not None and move.player == self.seat else None
        return Lookalikes(self.seat, self.positions, self.trials)._found_after(own, noticed)

    def _found_after(self, own: Move | None, noticed: Noticed) -> Lookalikes:
        """The same as ``after``; counts its work in this object, so that nobody else may keep it."""
        found, made = set[State](), set[tuple[Inference, ...]]()
        for state in self._with_unnoticed():
            for other, there in self._plies(state, own):
                if self.watcher.notices_ply(state, other, there) == noticed:
                    found.add(there)
                    self._check(found)
                    if not there.pending:
                        made.add(tuple(map(inference_of, moves_made(state, other))))
        return Lookalikes(self.seat, found, self.trials, _common(made))

    def _with_unnoticed(self) -> set[State]:
        """The positions, and those reached from them by plies that the seat does not notice."""
        found, todo = set(self.positions), list(self.positions)
        while todo:
            state = todo.pop()
            for move, after in self._plies(state, None):
                if after not in found and not self.watcher.notices_ply(state, move, after):
                    found.add(after)
                    todo.append(after)
                    self._check(found)
        return found

    def _check(self, found: set[State]) -> None:
        if len(found) > MOST_POSITIONS:
            raise TooManyPositions

    def _plies(self, state: State, own: Move | None) -> Iterator[tuple[Move, State]]:
        """The plies from a position: the seat's move ``own``; if it is None, those of all others and of chance."""
        if isinstance(state.terminator, n.DecideDrawing):
            raise TooManyPositions
        if own is not None:
            moves = [own] if own.player in state.to_act else []
        else:
            moves = [m for p in state.to_act if p != self.seat for m in state.legal_moves(p, mistakes=True)]
            moves += [m for m, _ in state.chance_outcomes()]
        for move in moves:
            self.trials += 1
            if self.trials * work_of_a_move(state.game) > MOST_WORK:
                raise TooManyPositions
            with suppress(GameDSLError):  # the seat's move may be illegal there, or the rules may fail
                yield move, act.apply(state, move)


def _common(made: set[tuple[Inference, ...]]) -> list[Inference] | None:
    """What lists of moves made together have in common, move by move; None if there are no lists, or lists of different
    lengths."""
    if len({len(moves) for moves in made}) != 1:
        return None
    return [reduce(Inference.joined, same) for same in zip(*made, strict=True)]


def inference_of(move: Move) -> Inference:
    """The inference of a move that is known completely."""
    if move.schema is None:
        return Inference(move.kind, move.name, (move.text,) if move.kind in ("choose", "chance") else ())
    return Inference(move.kind, move.schema, move.args)


def exact_inferences(steps: Steps, at: int, seat: int | None) -> list[Inference] | None:
    """What a seat can infer of the moves carried out with the ply of this number, in the order of their effects; None
    if the bounds do not suffice to find out. The states cache what was found so far."""
    name, first = ("lookalikes", seat), at
    while first and name not in steps[first][0].cache:
        first -= 1
    known: Lookalikes | None = steps[first][0].cache.get(name) if first else _at_the_beginning(steps[0][0], seat)
    for i in range(first + 1, at + 1):
        before, (after, move) = steps[i - 1][0], steps[i]
        assert move is not None
        if known is not None:
            try:
                known = known.after(before, move, after)
            except TooManyPositions:
                known = None
        after.cache[name] = known
        if i > 1:
            before.cache.pop(name, None)  # there may be many of them
    return None if known is None else known.inferred


def _at_the_beginning(state: State, seat: int | None) -> Lookalikes | None:
    """The lookalikes of the state with which a list of steps begins; None if they cannot be found."""
    if state.previous is not None:
        earlier = history_steps(state)
        name = ("lookalikes", seat)
        if name not in state.cache:
            exact_inferences(earlier, len(earlier) - 1, seat)
            state.cache[name] = earlier[-1][0].cache.get(name)
        found: Lookalikes | None = state.cache[name]
        return found
    start = state.game.initial_state()
    return Lookalikes(seat, {start}) if state == start else None
