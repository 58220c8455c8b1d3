"""The uniformly random player, which values positions by compiled playouts."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import TYPE_CHECKING, Any

from gamedsl.compiler import PlayoutCursor, compile_program
from gamedsl.lab.metrics.traces import ActionValues, Assessment, Decision
from gamedsl.lab.statistics import Z95
from gamedsl.language.core import greatest_utility
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.compiler import Native
    from gamedsl.engine import Game, State

ACTION_SHARE = 4  # an action gets this fraction of the playouts of a position, twice


@lazy_dataclass(frozen=True)
class RandomPlayer:
    """Plays every legal move with equal probability. ``playouts``: made from each position to value it."""

    native: Native
    most: int
    playouts: int = 100
    plies: int = 10_000
    text: str = "random"
    details: int = 8

    @classmethod
    def of(cls, game: Game, playouts: int, plies: int) -> RandomPlayer:
        """Returns the player for a game. Raises ``NativeError`` if its rules cannot be compiled."""
        return cls(compile_program(game.program, game), greatest_utility(game.program), playouts, plies)

    def __reduce__(self) -> tuple[Any, ...]:
        """Other processes compile the rules themselves."""
        return RandomPlayer.of, (self.native.game, self.playouts, self.plies)

    @property
    def identity(self) -> str:
        return f"random {self.playouts} {self.plies}"

    @property
    def is_timed(self) -> bool:
        return False

    def begin(self) -> RandomGame:
        return RandomGame(self, PlayoutCursor(self.native, self.plies))


@lazy_dataclass(frozen=True)
class RandomGame:
    """A game of a random player, with a cursor that follows it."""

    player: RandomPlayer
    cursor: PlayoutCursor

    def decide(
        self, state: State, seat: int, allowed: Sequence[int], rng: Random, *, assess: bool, detailed: bool
    ) -> Decision:
        action = allowed[rng.randrange(len(allowed))]
        assessment = self._value(self.player.playouts, rng, None) if assess else None
        return Decision(action, assessment, self._actions(state.count_moves(seat), seat, rng) if detailed else None)

    def follow(self, action: int | None, after: State) -> None:
        if action is None:
            self.cursor.place(after)
        else:
            self.cursor.step(action)

    def _value(self, playouts: int, rng: Random, action: int | None) -> Assessment:
        """Returns the mean utilities of playouts. The margin is 1.96 standard errors of the difference between two
        seats, at most.
        """
        most = self.player.most
        means, deviations = self.cursor.means(playouts, rng.getrandbits(62), action)
        width = sum(sorted(deviations)[-2:]) / most / playouts**0.5
        return Assessment(tuple(mean / most for mean in means), Z95 * width)

    def _actions(self, choices: int, seat: int, rng: Random) -> ActionValues:
        number = max(1, self.player.playouts // ACTION_SHARE)
        halves = [[self._value(number, rng, k) for k in range(choices)] for _ in range(2)]
        selecting, valuing = (tuple(a.values[seat] for a in half) for half in halves)
        seats = min(2, len(halves[1][0].values))
        return ActionValues(selecting, valuing, max(a.margin for a in halves[1]) / seats)
