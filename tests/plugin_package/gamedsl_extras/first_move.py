"""``first``: an agent that plays the first legal move; ``first:3`` plays the third, or the last if there are fewer."""

from __future__ import annotations

from dataclasses import dataclass

from gamedsl import Move, State
from gamedsl.agents import AgentKind, StateAgent


@dataclass(frozen=True)
class FirstMove(StateAgent):
    number: int = 1

    @property
    def text(self) -> str:
        return "first" if self.number == 1 else f"first:{self.number}"

    def choose(self, state: State, seed: int, player: int | None = None) -> Move:
        moves = state.legal_moves(player)
        return moves[min(self.number, len(moves)) - 1]


def make(argument: str) -> FirstMove | None:
    if not argument:
        return FirstMove()
    return FirstMove(int(argument)) if argument.isdecimal() and int(argument) else None


KIND = AgentKind(make, (("first", "the first legal move"), ("first:3", "the third one")))
