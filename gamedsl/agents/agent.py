"""What an agent is, and what all agents that search share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from gamedsl.agents.findings import Findings
    from gamedsl.agents.position import Position
    from gamedsl.engine.game import Game
    from gamedsl.engine.moves import Move
    from gamedsl.engine.state import State

MOST_PLIES_TO_A_CHOICE = 100  # plies of chance and drawings that ``prepare`` plays to reach a position to search


class Ranked(NamedTuple):
    """A legal move with the mover's expected utility (a share of the greatest, -1 to 1) and how much work went into it."""

    move: Move
    value: float
    visits: int


class Agent(Protocol):
    """Somebody who plays. The same state and seed give the same move, unless the budget is one of time.

    ``player`` tells for whom, where several choose at once (None: the first who has not chosen).
    """

    @property
    def text(self) -> str:
        """How it is asked for: ``mcts:2s``."""
        ...

    def check(self, game: Game) -> None:
        """Raises ``UsageError`` with the reason if it can't play this game."""
        ...

    def prepare(self, game: Game) -> None:
        """Has everything compiled that a search of this game needs; later moves cost their search only."""
        ...

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """A legal move (or an outcome of chance, by its weights). ``UsageError`` where the rules don't fit the agent."""
        ...

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """The legal moves with what they are worth, the one to play first."""
        ...

    def way(self, position: Position, seed: int) -> int:
        """The number of the way to take from a position of compiled rules in which a player is to choose."""
        ...


class Searcher(ABC):
    """An agent that searches: all it needs is ``check``, ``find`` and ``smallest``."""

    @abstractmethod
    def check(self, game: Game) -> None:
        """``UsageError`` where the rules don't fit the agent."""

    @abstractmethod
    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        """What there is to find out about a position. ``whole``: about every way, not only the best."""

    @abstractmethod
    def smallest(self) -> Searcher:
        """The same kind of agent with the smallest budget there is."""

    def prepare(self, game: Game) -> None:
        """Compiles the rules and, by the smallest search from some position, the kernels."""
        from gamedsl.agents.position import Position, compiled

        compiled(game)
        state, rng = game.initial_state(), Random(0)
        for _ in range(MOST_PLIES_TO_A_CHOICE):
            if state.kind not in ("chance", "drawing"):
                break
            state = state.apply(state.propose(rng))
        if state.kind not in ("chance", "drawing", "end"):
            self.smallest().find(Position.of(state), 0)

    def way(self, position: Position, seed: int) -> int:
        """The number of the way to take."""
        return self.find(position, seed).pick(seed)

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """The move to play; outcomes of chance and drawings, of which there is no end, are drawn at random."""
        from gamedsl.agents.position import Position

        self.check(state.game)
        if state.kind in ("chance", "drawing", "end"):
            return state.propose(Random(seed))
        moves = state.legal_moves(player)
        return moves[0] if len(moves) == 1 else moves[self.way(Position.of(state, player), seed)]

    def study(self, state: State, seed: int = 0, player: int | None = None) -> Findings:
        """All that is found out about a state in which a player is to choose."""
        from gamedsl.agents.position import Position

        self.check(state.game)
        return self.find(Position.of(state, player), seed, whole=True)

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """The legal moves with what they are worth, the one to play first; none where nobody is to choose a move."""
        if state.kind in ("chance", "drawing", "end"):
            return []
        found, moves = self.study(state, seed, player), state.legal_moves(player)
        best = found.best().way if not found.secret else -1
        rows = sorted(found.rows, key=lambda r: (r.way != best, -r.share, -r.value, r.way))
        return [Ranked(moves[r.way], r.value, r.visits) for r in rows]
