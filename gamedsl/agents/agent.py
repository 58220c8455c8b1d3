"""The interface of an agent, and the base class of agents that search."""

from __future__ import annotations

from abc import ABC, abstractmethod
from random import Random
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from gamedsl.language.source import UsageError

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.agents.search_findings import Findings
    from gamedsl.engine import Game, Move, State

MOST_PLIES_TO_A_CHOICE = (
    100  # plies of chance and drawing that ``prepare`` plays, at most, to reach a position to search
)


class Ranked(NamedTuple):
    """A legal move, the mover's expected utility (a share of the maximum, -1 to 1), and the effort spent on it."""

    move: Move
    value: float
    visits: int


class Agent(Protocol):
    """An agent that chooses moves. The same state and seed give the same move, unless the budget is a time.

    ``player`` selects the player to choose for if several choose at once (None: the first who has not chosen).
    """

    @property
    def text(self) -> str:
        """The agent's specification, such as ``mcts:2s``."""
        ...

    @property
    def uses_states(self) -> bool:
        """Whether the agent chooses by states with their history, rather than by positions of compiled rules."""
        ...

    def check(self, game: Game) -> None:
        """Raises ``UsageError`` with the reason if the agent cannot play this game."""
        ...

    def prepare(self, game: Game) -> None:
        """Compiles everything that a search of this game needs, so that later moves only take the time of their
        search.
        """
        ...

    def settings(self, game: Game) -> str:
        """Returns what the agent has chosen for this game by itself, in words; empty if nothing."""
        ...

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """Returns a legal move, or samples a chance outcome. Raises ``UsageError`` if the agent does not support the
        rules.
        """
        ...

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """Returns the legal moves with their values, best first; empty if no player chooses here."""
        ...

    def action(self, position: Position, seed: int) -> int:
        """Returns the number of the action to take from a position of compiled rules in which a player chooses."""
        ...


class StateAgent(ABC):
    """An agent that chooses by looking at states. Subclasses provide ``text`` and ``choose``; they may refuse games in
    ``check``."""

    uses_states: ClassVar[bool] = True

    @property
    @abstractmethod
    def text(self) -> str:
        """The agent's specification."""

    @abstractmethod
    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """Returns one of ``state.legal_moves(player)``; the same for the same state and seed."""

    def check(self, game: Game) -> None:  # noqa: B027 (a hook)
        """Raises ``UsageError`` with the reason if the agent cannot play this game."""

    def prepare(self, game: Game) -> None:  # noqa: B027 (a hook)
        """Needs no preparation."""

    def settings(self, game: Game) -> str:
        """Returns nothing: the agent is the same for all games."""
        return ""

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """Returns the legal moves, the chosen one first; the agent does not evaluate them. Empty if no player chooses
        here.
        """
        if state.kind in ("chance", "drawing", "end"):
            return []
        chosen = self.choose(state, seed, player)
        others = [m for m in state.legal_moves(player) if m != chosen]
        return [Ranked(m, 0.0, 0) for m in (chosen, *others)]

    def action(self, position: Position, seed: int) -> int:
        """Raises ``UsageError``, because a position of compiled rules has no state. Callers check ``uses_states``."""
        raise UsageError(f"the agent `{self.text}` plays states, not positions of compiled rules")


class Searcher(ABC):
    """An agent that searches. Subclasses provide ``check``, ``find`` and ``smallest``."""

    uses_states: ClassVar[bool] = False

    @property
    def content(self) -> str:
        """A digest of the file by which it plays; empty if there is none."""
        return ""

    @abstractmethod
    def check(self, game: Game) -> None:
        """Raises ``UsageError`` if the agent does not support the rules."""

    @abstractmethod
    def find(self, position: Position, seed: int, whole: bool = False) -> Findings:
        """Searches a position. ``whole``: evaluates every action, not just the best."""

    @abstractmethod
    def smallest(self) -> Searcher:
        """The same kind of agent with the smallest possible budget."""

    def prepare(self, game: Game) -> None:
        """Compiles the rules, and compiles the kernels by running a minimal search."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.position import Position, compiled

        compiled(game)
        state, rng = game.initial_state(), Random(0)
        for _ in range(MOST_PLIES_TO_A_CHOICE):
            if state.kind not in ("chance", "drawing"):
                break
            state = state.apply(state.propose(rng))
        if state.kind not in ("chance", "drawing", "end"):
            self.smallest().find(Position.of(state), 0)

    def settings(self, game: Game) -> str:
        """Returns what the agent has chosen for this game by itself, in words; empty if nothing."""
        return ""

    def action(self, position: Position, seed: int) -> int:
        """Returns the number of the action to take; a random one if no position is found that fits what the player has
        seen."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.position import NoPosition
        from gamedsl.agents.search_findings import unit_of

        try:
            return self.find(position, seed).pick(seed)
        except NoPosition:
            return int(unit_of(seed) * position.action_count())

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """Returns the move to play. Chance outcomes, and drawings (of which there are infinitely many), are sampled."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.position import Position

        self.check(state.game)
        if state.kind in ("chance", "drawing", "end"):
            return state.propose(Random(seed))
        moves = state.legal_moves(player)
        return moves[0] if len(moves) == 1 else moves[self.action(Position.of(state, player), seed)]

    def study(self, state: State, seed: int = 0, player: int | None = None) -> Findings:
        """Returns the findings for a state in which a player chooses."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.agents.position import Position

        self.check(state.game)
        return self.find(Position.of(state, player), seed, whole=True)

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """Returns the legal moves with their values, best first; empty if no player chooses here."""
        if state.kind in ("chance", "drawing", "end"):
            return []
        found, moves = self.study(state, seed, player), state.legal_moves(player)
        best = found.best().action if not found.secret else -1
        rows = sorted(found.rows, key=lambda r: (r.action != best, -r.share, -r.value, r.action))
        return [Ranked(moves[r.action], r.value, r.visits) for r in rows]
