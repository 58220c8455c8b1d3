"""A history as it is pickled, and what was known of the plies before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from gamedsl.engine.moves import Move

MOST_TURNS = 999_999
EVERYONE = "everyone"  # beside the names of players, in the text of a position
Turns: TypeAlias = Mapping[int | None, int]


@dataclass(frozen=True)
class Beginning:
    """``turns``: how many turns each player had completed (None: all players together), where a notation counts them.
    ``last_mover``: if the game had ended, the player whose turn it was."""

    turns: Turns = field(default_factory=dict)
    last_mover: int | None = None


NOTHING = Beginning()


@dataclass(frozen=True)
class SavedPast:
    """A history that was pickled: the first state as ``State.serialize`` writes it, the moves, and what was known of the
    plies before."""

    start: str
    moves: tuple[Move, ...]
    beginning: Beginning = NOTHING
