"""A game in the interpreter, which is the reference."""

from __future__ import annotations

import pickle
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from gamedsl.engine.interpreted_state import InterpretedState
from gamedsl.engine.play.advance import advance
from gamedsl.engine.records.save import load_state
from gamedsl.engine.state import Choice, Game, PartEnd, State
from gamedsl.engine.typed_moves import parse_move, play_text
from gamedsl.engine.values import Value

if TYPE_CHECKING:
    from gamedsl.engine.moves import Move


@lru_cache(maxsize=8)
def _again(kind: type[InterpretedGame], pickled: bytes) -> Game:
    """An unpickled game. All unpickled states of it share one game."""
    program, origin = pickle.loads(pickled)
    return kind(program, origin)


class InterpretedGame(Game):
    """A game whose states are interpreted."""

    def __repr__(self) -> str:
        return f"Game({self.program.name!r})"

    def __copy__(self) -> Game:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Game:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self._pickled)

    @cached_property
    def _pickled(self) -> bytes:
        """The program, from which everything else is rebuilt, and where it comes from."""
        return pickle.dumps((self.program, self.origin))

    def initial_state(self) -> State:
        return advance(self, self.first_values(), self.program.entry)

    def make_state(
        self,
        block: int,
        slots: tuple[Value, ...],
        pending: tuple[Choice, ...] = (),
        entered: frozenset[int] = frozenset(),
        ended: tuple[PartEnd, ...] = (),
    ) -> State:
        return InterpretedState(self, block, slots, pending, entered, ended)

    def parse_move(self, text: str, state: State, player: int | None = None, notation: str | None = None) -> Move:
        return parse_move(self, text, state, player, notation)

    def play_text(self, text: str, state: State, player: int | None = None) -> list[tuple[Move, State]]:
        return play_text(self, text, state, player)

    def deserialize(self, text: str) -> State:
        return load_state(self, text)

    def position(self, text: str, path: str = "<position>") -> State:
        # start-up: most games begin at the initial position
        from gamedsl.engine.positions.reading import read_position

        return read_position(self, text, path)
