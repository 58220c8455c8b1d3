"""A history in its pickled form, and what is known of the plies before it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from gamedsl.engine.moves import Move
from gamedsl.language.source import lazy_dataclass

MOST_TURNS = 999_999
EVERYONE = "everyone"  # used like the name of a player, in the text of a position
Turns: TypeAlias = Mapping[int | None, int]


@lazy_dataclass(frozen=True)
class Beginning:
    """What is known of the plies before a history. ``turns``: the number of turns that each player had completed (None:
    all players together), if a notation counts them; ``last_mover``: if the game had ended, the player whose turn it
    was."""

    turns: Turns = field(default_factory=dict)
    last_mover: int | None = None


NOTHING = Beginning()


@lazy_dataclass(frozen=True)
class SavedPast:
    """A history that was pickled: the first state as ``State.serialize`` writes it, the moves, and what is known of the
    plies before them."""

    start: str
    moves: tuple[Move, ...]
    beginning: Beginning = NOTHING
