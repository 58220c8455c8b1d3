"""A Hypothesis state machine that plays a game, to extend with one's own invariants."""

from __future__ import annotations

from typing import Any, ClassVar

from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule

from gamedsl.engine import Game, State
from gamedsl.rules import load_program
from gamedsl.testing.laws import check_laws
from gamedsl.testing.strategies import LARGEST, way_on


class GameMachine(RuleBasedStateMachine):
    """Plays ``game`` from its first position. ``state`` is the current one; ``moves`` led to it.

    The rule ``play`` plays one ply, or nothing when the play is over. The laws of ``check_laws`` are an
    invariant; subclasses add their own with ``@invariant()``.
    """

    game: ClassVar[Game]

    def __init__(self) -> None:
        super().__init__()
        self.state: State = self.game.initial_state()
        self.moves: list[str] = []

    @rule(way=st.integers(0, LARGEST))
    def play(self, way: int) -> None:
        move = way_on(self.state, way)
        if move is not None:
            self.moves.append(str(move))
            self.state = self.state.apply(move)

    @invariant()
    def laws(self) -> None:
        check_laws(self.state)


def machine(ruleset: str | Game, /, **options: Any) -> type[GameMachine]:
    """Returns the state machine of a game: a shipped name, a path, or a loaded game.

    Its ``TestCase`` runs under pytest and unittest. Raises ``GameDSLError`` if the ruleset is wrong.
    """
    game = ruleset if isinstance(ruleset, Game) else Game(load_program(ruleset, options))
    return type("GameMachine", (GameMachine,), {"game": game})
