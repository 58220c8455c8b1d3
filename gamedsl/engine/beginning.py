"""Facts about the plies before the first state of a history: kept beside that state, not part of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gamedsl.engine.saved_past import EVERYONE, MOST_TURNS, NOTHING, Beginning, Turns
from gamedsl.engine.state import Game, State
from gamedsl.language.core import nodes as n

_BEGINNING = "beginning"  # a key of the cache of a state


def remember_beginning(state: State, known: Beginning) -> None:
    """Keeps what is known of the plies before a state that has no past."""
    if known != NOTHING:
        state.cache[_BEGINNING] = known


def remembered_beginning(state: State) -> Beginning:
    """The facts that ``remember_beginning`` has kept; ``NOTHING`` by default."""
    found: Beginning = state.cache.get(_BEGINNING, NOTHING)
    return found


def copy_beginning(source: State, to: State) -> State:
    """Copies to ``to`` what is remembered of the plies before ``source``, and returns ``to``."""
    remember_beginning(to, remembered_beginning(source))
    return to


def counted_players(program: n.Program) -> tuple[int | None, ...]:
    """The players whose turns a notation counts; None stands for a count of all turns."""
    fields = (f for name in program.parts[0].notations for f in name.fields)
    return tuple(dict.fromkeys(f.player for f in fields if f.kind == "count"))


def turns_data(game: Game, turns: Turns) -> dict[str, int] | int:
    """Counts of turns as plain data: by the names of players, or one number for all of them."""
    named = {EVERYONE if p is None else game.players[p]: number for p, number in turns.items()}
    return named[EVERYONE] if [*turns] == [None] else named


def counted_player(game: Game, name: str | None) -> int | None:
    """The player under whose name turns are counted (None: all). Raises ``KeyError`` if no notation counts them."""
    player = game.players.index(name) if name in game.players else None
    if player not in counted_players(game.program) or (player is None and name not in (None, EVERYONE)):
        raise KeyError(name)
    return player


def beginning_data(game: Game, known: Beginning) -> dict[str, Any]:
    """A beginning as plain data, for saves."""
    found: dict[str, Any] = {"turns": turns_data(game, known.turns)} if known.turns else {}
    return found if known.last_mover is None else {**found, "last mover": known.last_mover}


def beginning_from(game: Game, data: Mapping[str, Any]) -> Beginning:
    """The beginning in a save. Raises ``ValueError``, ``KeyError`` or ``TypeError`` if it is damaged."""
    given, last = data.get("turns", {}), data.get("last mover")
    turns = {
        counted_player(game, k): number for k, number in ({None: given} if isinstance(given, int) else given).items()
    }
    if not all(type(number) is int and abs(number) <= MOST_TURNS for number in turns.values()):
        raise ValueError("a count of turns is out of range")
    if last is not None and (type(last) is not int or not 0 <= last < len(game.players)):
        raise ValueError("there is no such player")
    return Beginning(turns, last)
