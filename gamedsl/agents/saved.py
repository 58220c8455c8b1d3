"""The agent that plays a saved strategy."""

from __future__ import annotations

from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, ClassVar

from gamedsl.agents.agent import Ranked
from gamedsl.agents.kind import AgentKind
from gamedsl.language.source import UsageError, lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.engine import Game, Move, State
    from gamedsl.lab.equilibrium import SavedStrategy


@lazy_dataclass(frozen=True)
class Saved:
    """Plays the strategy in a file written by ``gamedsl solve -o``.

    It uses only what its seat has seen and done, so it needs states with their history.
    """

    path: str
    uses_states: ClassVar[bool] = True

    @property
    def text(self) -> str:
        """The agent's specification: ``strategy:FILE``."""
        return f"strategy:{self.path}"

    @cached_property
    def strategy(self) -> SavedStrategy:
        """The strategy in the file, read once."""
        # imported here for a quick start: naming an agent needs no numba
        from gamedsl.lab.equilibrium import read_strategy

        return read_strategy(self.path)

    def check(self, game: Game) -> None:
        """Raises ``GameDSLError`` (E0524) if the file is damaged or for other rules."""
        self.strategy.check(game)

    def prepare(self, game: Game) -> None:
        """Reads and checks the file. Raises ``GameDSLError`` (E0524) if it is damaged or for other rules."""
        self.check(game)

    def settings(self, game: Game) -> str:
        """Returns nothing: the agent is the same for all games."""
        return ""

    def odds(self, state: State, player: int | None = None) -> list[float]:
        """Returns the probability of every legal move.

        Raises ``GameDSLError`` (E0524) if the file does not mention the information state.
        """
        seat = state.to_act[0] if player is None else player
        texts = [state.game.action_text(state.game.action(m)) for m in state.legal_moves(seat)]
        return self.strategy.odds(seat, state.information_state(seat).key, texts)

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        """Returns a move drawn by the strategy's probabilities, or a chance outcome by its weight.

        Raises ``GameDSLError`` (E0524) if the file does not mention the information state.
        """
        rng = Random(seed)
        if state.kind in ("chance", "drawing", "end"):
            return state.propose(rng)
        return rng.choices(state.legal_moves(player), self.odds(state, player))[0]

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """Returns the legal moves, the most probable first, each with value 0: the strategy has no values."""
        moves = zip(state.legal_moves(player), self.odds(state, player), strict=True)
        return [Ranked(m, 0.0, 0) for m, _ in sorted(moves, key=lambda pair: -pair[1])]

    def action(self, position: Position, seed: int) -> int:
        """Raises ``UsageError``, because the strategy needs the history. Callers check ``uses_states``."""
        raise UsageError(f"`{self.text}` needs the whole game, and only a position is known here")


def _make(argument: str) -> Saved | None:
    return Saved(argument) if argument else None


KIND = AgentKind(_make, (("strategy:FILE", "the strategy that `gamedsl solve GAME -o FILE` wrote"),))
