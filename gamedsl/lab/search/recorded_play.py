"""A game under search: its moves and positions, and the rules error that ended it, if any."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from gamedsl.engine import Move, State, alternative, is_legal, mover_of
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError, lazy_dataclass


@lazy_dataclass()
class Play:
    """A game under search.

    ``states`` has one element more than ``moves``. ``failing`` and ``error``: a further move that ended in a rules
    error.
    """

    states: list[State]
    moves: list[Move] = field(default_factory=list)
    failing: Move | None = None
    error: GameDSLError | None = None

    @staticmethod
    def begin(start: State) -> Play:
        return Play([start])

    @property
    def end(self) -> State:
        return self.states[-1]

    @property
    def tried(self) -> list[Move]:
        """The moves, including the one that ended in a rules error."""
        return self.moves if self.failing is None else [*self.moves, self.failing]

    @property
    def is_over(self) -> bool:
        return self.error is not None or self.end.is_terminal

    def cut(self, length: int) -> Play:
        """Returns the game truncated to this many moves."""
        return Play(self.states[: length + 1], self.moves[:length])

    def do(self, move: Move) -> None:
        """Applies one more move, which must be legal. Records a rules error."""
        try:
            after = self.end.apply(move)
        except GameDSLError as error:
            self.failing, self.error = move, error
            return
        self.moves.append(move)
        self.states.append(after)


def legal_version(state: State, move: Move) -> Move | None:
    """Returns the move as made by the player to act here; None if it is illegal or a rule fails."""
    end = state.terminator
    try:
        if isinstance(end, n.Decide | n.DecideTogether) and move.kind == "move":
            mine = move.by(state.to_act[0])
            mover = mover_of(state, mine.player)
            return mine if mover is not None and alternative(state, mine) and is_legal(state, mine, mover) else None
        if move.kind == "drawing":
            mine = move.by(state.to_act[0]) if state.kind == "drawing" else move
            return None if state.why_not(mine) else mine
        return next((m for m in state.legal_moves() if (m.kind, m.text) == (move.kind, move.text)), None)
    except GameDSLError:
        return None


def replayed(begun: Play, moves: Sequence[Move]) -> Play:
    """Returns a game extended by these moves, skipping those that are illegal when their turn comes."""
    play = begun.cut(len(begun.moves))
    for move in moves:
        if play.is_over:
            break
        mine = legal_version(play.end, move)
        if mine is not None:
            play.do(mine)
    return play
