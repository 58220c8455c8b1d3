"""Depth-first solving with a transposition table: the value of one position without generating all reachable positions.

Alpha-beta with stored bounds per position (Marsland 1986). It requires two players, zero sum, no chance, no
secret choices, and no repetition. Uses compiled rules if they are supported.
"""

from __future__ import annotations

import sys
import time
from dataclasses import field
from typing import Protocol

from gamedsl.engine import State
from gamedsl.lab.solve.depth_compiled import NativeSearch
from gamedsl.lab.solve.game_graph import WIDEST, By, Number, refuse_drawings
from gamedsl.language.core import nodes as n
from gamedsl.language.source import UsageError, lazy_dataclass

Bounds = tuple[Number, Number]
DEEPEST = 600  # plies on the engine
FRAMES = 4 * DEEPEST + 400
_STOPS = {"chance": "chance", "together": "simultaneous choices", "drawing": "drawings"}
FEW, SOON = 300, 0.2  # the number of positions that the engine expands, and the seconds, before the rules are compiled


@lazy_dataclass(frozen=True)
class Depth:
    """The result of a depth-first search.

    ``bounds``: of the value for the first player (equal when solved). ``actions``: the bounds of each action, as
    far as they were needed. ``line``: a principal variation. ``positions``: the number of positions expanded.
    ``payoffs``: the terminal values met or possible.
    """

    bounds: Bounds
    actions: tuple[tuple[str, Bounds], ...]
    line: tuple[str, ...]
    positions: int
    payoffs: frozenset[Number]


class DepthSearch(Protocol):
    """A solver with a transposition table."""

    @property
    def positions(self) -> int: ...

    @property
    def payoffs(self) -> frozenset[Number]:
        """The possible terminal values for the first player."""

    def solve(self, state: State) -> bool:
        """Solves a state. Returns False if the limit or the time is reached first."""

    def bounds(self, state: State) -> Bounds:
        """Returns the known bounds of the value for the first player."""


def searched(state: State, by: By, limit: int, seconds: float | None = None) -> Depth:
    """Solves a state and returns the result for the first player.

    Raises ``UsageError`` if the search does not support the rules.
    """
    refuse_drawings(state)
    deadline = None if seconds is None else time.monotonic() + seconds
    search: DepthSearch = EngineSearch(by, limit, deadline)
    if _compiles(state, by):
        soon = time.monotonic() + SOON
        search = EngineSearch(by, min(limit, FEW), soon if deadline is None else min(soon, deadline))
    solved = search.solve(state)
    if not solved and limit > FEW and _compiles(state, by):
        search = NativeSearch(state, by, limit, deadline)
        solved = search.solve(state)
    line = line_of(search, state) if solved else ()
    actions = () if state.is_terminal else tuple((str(m), search.bounds(state.apply(m))) for m in state.legal_moves())
    return Depth(search.bounds(state), actions, line, search.positions, search.payoffs)


def _compiles(state: State, by: By) -> bool:
    from gamedsl.lab.explore import suits

    program = state.game.program
    counted = by == "result" or all(len(b.end.scores) == 2 for b in program.blocks if isinstance(b.end, n.End))
    return counted and state.game.num_players == 2 and suits(program)


def line_of(search: DepthSearch, state: State) -> tuple[str, ...]:
    """Returns a principal variation, as far as it could be found; positions that are known only by bounds are searched
    further.
    """
    moves: list[str] = []
    value = search.bounds(state)[0]
    while not state.is_terminal:
        after = [(m, state.apply(m)) for m in state.legal_moves()]
        known = [(m, s) for m, s in after if search.bounds(s) == (value, value)]
        likely = [(m, s) for m, s in after if search.bounds(s)[0] <= value <= search.bounds(s)[1]]
        best = next(iter(known), None) or next(
            ((m, s) for m, s in likely if search.solve(s) and search.bounds(s) == (value, value)), None
        )
        if best is None:
            return tuple(moves)
        moves.append(str(best[0]))
        state = best[1]
    return tuple(moves)


class _Enough(Exception):
    """The limit or the time was reached; raised inside ``EngineSearch``."""


@lazy_dataclass()
class EngineSearch:
    """The solver on the engine, for two players, by result or score."""

    by: By
    limit: int
    deadline: float | None = None
    known: dict[State, Bounds] = field(default_factory=dict)
    path: set[State] = field(default_factory=set)
    met: set[Number] = field(default_factory=set)
    positions: int = 0

    @property
    def payoffs(self) -> frozenset[Number]:
        return frozenset(self.met)

    def bounds(self, state: State) -> Bounds:
        if state.is_terminal:
            value = self._end(state)
            return value, value
        return self.known.get(state, (-WIDEST, WIDEST))

    def solve(self, state: State) -> bool:
        before = sys.getrecursionlimit()
        sys.setrecursionlimit(max(before, FRAMES))
        self.path.clear()
        try:
            self._value(state, -WIDEST, WIDEST)
        except _Enough:
            return False
        finally:
            sys.setrecursionlimit(before)
        return True

    def _value(self, state: State, alpha: Number, beta: Number) -> Number:
        """Returns the value for the first player if it lies between alpha and beta, else a bound on that side."""
        if state.is_terminal:
            return self._end(state)
        low, high = self.known.get(state, (-WIDEST, WIDEST))
        alpha, beta = max(alpha, low), min(beta, high)
        if alpha >= beta:
            return low if low >= beta else high
        self._enter(state)
        first = state.to_act[0] == 0
        best = -WIDEST if first else WIDEST
        a, b = alpha, beta
        for after in self._ordered(state, first):
            found = self._value(after, a, b)
            if first:
                best = max(best, found)
                a = max(a, best)
            else:
                best = min(best, found)
                b = min(b, best)
            if a >= b:
                break
        self.path.discard(state)
        self.known[state] = (low if best <= alpha else best, high if best >= beta else best)
        return best

    def _end(self, state: State) -> Number:
        """Returns the terminal value for the first player."""
        value = self._terminal_value(state)
        self.met.add(value)
        return value

    def _terminal_value(self, state: State) -> Number:
        if self.by == "score":
            if len(state.scores) != 2:
                raise UsageError("this game has no scores of two players to compare", help="omit `--score`")
            return state.scores[0] - state.scores[1]
        returns = state.returns
        if len(returns) != 2 or returns[0] != -returns[1]:
            raise UsageError("one player's gain is not the other's loss in this game", help="use `--method graph`")
        return returns[0]

    def _enter(self, state: State) -> None:
        if state.kind != "player":
            raise UsageError(f"depth search does not support {_STOPS[state.kind]}", help="use `--method graph`")
        if state in self.path:
            raise UsageError(
                "positions repeat in this game, which depth search does not support", help="use `--method graph`"
            )
        if len(self.path) >= DEEPEST:
            raise UsageError(f"games of more than {DEEPEST} plies are too long for depth search")
        self.positions += 1
        if self.positions > self.limit or (self.deadline is not None and time.monotonic() > self.deadline):
            raise _Enough
        self.path.add(state)

    def _ordered(self, state: State, first: bool) -> list[State]:
        """Returns the successors, those known to be good first."""
        after = [state.apply(m) for m in state.legal_moves()]
        if first:
            return sorted(after, key=lambda s: -self.known.get(s, (0, 0))[0])
        return sorted(after, key=lambda s: self.known.get(s, (0, 0))[1])
