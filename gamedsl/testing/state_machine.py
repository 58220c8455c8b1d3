"""A Hypothesis state machine that plays a game, to be extended with further invariants."""

from __future__ import annotations

from typing import Any, ClassVar

from hypothesis import note
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gamedsl.engine import Game, Move, State
from gamedsl.language.source import GameDSLError
from gamedsl.testing.games import load_game
from gamedsl.testing.laws import check_laws
from gamedsl.testing.strategies import moves, plays
from gamedsl.testing.tested_play import Play, with_play


def _beginnings(machine: GameMachine) -> st.SearchStrategy[Play]:
    """Generates games that are cut anywhere, so that the machine continues from there."""
    return plays(machine.game).flatmap(lambda play: st.integers(0, len(play.moves)).map(play.cut))


def _moves(machine: GameMachine) -> st.SearchStrategy[Move]:
    return moves(machine.state)


class GameMachine(RuleBasedStateMachine):
    """Plays ``game``. ``state`` is the current position; ``moves`` led to it from the first one.

    It begins somewhere in a game, at the start, in the middle or near the end; then the rule ``make`` makes one move
    at a time. The laws of ``check_laws`` are an invariant; subclasses add their own with ``@invariant()``.
    """

    game: ClassVar[Game]

    def __init__(self) -> None:
        super().__init__()
        self.state: State = self.game.initial_state()
        self.moves: list[str] = []
        self.made: list[Move] = []

    @initialize(play=st.runner().flatmap(_beginnings))
    def begin(self, play: Play) -> None:
        """Begins at the last position of a generated game."""
        self.state = play.last
        self.made = list(play.moves)
        self.moves = [str(move) for move in play.moves]

    @precondition(lambda self: not self.state.is_terminal)
    @rule(move=st.runner().flatmap(_moves))
    def make(self, move: Move | str) -> None:
        """Makes a move, given as a ``Move`` or in the notation of the ruleset."""
        made = self.game.parse_move(move, self.state) if isinstance(move, str) else move
        before = self.play
        try:
            self.state = self.state.apply(made)
        except GameDSLError as error:
            raise with_play(error, before, made) from None
        self.made.append(made)
        self.moves.append(str(made))

    @precondition(lambda self: self.state.is_terminal)
    @rule()
    def begin_again(self) -> None:
        """Begins a new game after the end of one."""
        self.state, self.made, self.moves = self.game.initial_state(), [], []

    @property
    def play(self) -> Play:
        """The whole game so far."""
        return Play.of(self.game.initial_state(), self.made)

    @invariant()
    def laws(self) -> None:
        """Checks the laws of every game."""
        check_laws(self.state)

    def teardown(self) -> None:
        """Shows the whole game beside the steps of a failing example."""
        note(_Whole(self))


class _Whole:
    """The game of a machine, computed when it is printed."""

    def __init__(self, machine: GameMachine) -> None:
        self.machine = machine

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        self.machine.play._repr_pretty_(printer, cycle)


def machine(ruleset: str | Game, /, **options: Any) -> type[GameMachine]:
    """Returns the state machine of a game: a shipped name, a path, or a loaded game.

    Its ``TestCase`` runs under pytest and unittest. Raises ``GameDSLError`` if the ruleset is wrong.
    """
    return type("GameMachine", (GameMachine,), {"game": load_game(ruleset, options)})
