"""The agent that plays uniformly at random."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, ClassVar

from gamedsl.agents.agent import Ranked
from gamedsl.agents.kind import AgentKind
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.agents.position import Position
    from gamedsl.engine import Game, Move, State


@lazy_dataclass(frozen=True)
class Uniform:
    """Plays every legal move with equal probability; drawings come from the generator. Supports all rules."""

    text: str = "random"
    uses_states: ClassVar[bool] = False

    def check(self, game: Game) -> None:
        """Accepts all rules."""

    def prepare(self, game: Game) -> None:
        """Needs no preparation."""

    def settings(self, game: Game) -> str:
        """Returns nothing: the agent is the same for all games."""
        return ""

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        rng = Random(seed)
        return rng.choice(state.legal_moves(player)) if state.kind == "together" else state.propose(rng)

    def analyse(self, state: State, seed: int = 0, player: int | None = None) -> list[Ranked]:
        """Returns the legal moves in order, each with value 0: the agent does not evaluate."""
        return [Ranked(m, 0.0, 0) for m in state.legal_moves(player)]

    def action(self, position: Position, seed: int) -> int:
        return Random(seed).randrange(position.action_count())


def _make(argument: str) -> Uniform | None:
    return None if argument else Uniform()


KIND = AgentKind(_make, (("random", "any legal move, with equal probability"),))
