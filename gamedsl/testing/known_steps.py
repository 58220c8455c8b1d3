"""A cache of recent moves, because shrinking an example plays almost the same game hundreds of times."""

from __future__ import annotations

from collections import OrderedDict
from typing import TypeVar

from gamedsl.engine import Game, Move, State
from gamedsl.lab.search import legal_version

MOST_STEPS = 20_000
T = TypeVar("T")


class KnownSteps:
    """The first position, and the results of moves by position object, because equal positions may have different
    histories. The oldest entries are dropped first.
    """

    def __init__(self, game: Game) -> None:
        self.start = game.initial_state()
        self._after: OrderedDict[tuple[int, Move], tuple[State, State]] = OrderedDict()
        self._legal: OrderedDict[tuple[int, Move], tuple[State, Move | None]] = OrderedDict()

    def after(self, state: State, move: Move) -> State:
        """Returns the position after a move. Raises ``GameDSLError`` as ``State.apply`` does."""
        key = id(state), move  # (the entry holds the position, so its id is not reused)
        if key not in self._after:
            _add(self._after, key, (state, state.apply(move)))
        return self._after[key][1]

    def legal_version(self, state: State, move: Move) -> Move | None:
        """Returns the move as the player to act here makes it; None if it is illegal."""
        key = id(state), move
        if key not in self._legal:
            _add(self._legal, key, (state, legal_version(state, move)))
        return self._legal[key][1]


def _add(entries: OrderedDict[tuple[int, Move], T], key: tuple[int, Move], entry: T) -> None:
    entries[key] = entry
    if len(entries) > MOST_STEPS:
        entries.popitem(last=False)


def known_steps(game: Game) -> KnownSteps:
    """Returns the cache of a game. It is stored with the game, because it refers to it."""
    if "known_steps" not in vars(game):
        vars(game)["known_steps"] = KnownSteps(game)
    found: KnownSteps = vars(game)["known_steps"]
    return found
