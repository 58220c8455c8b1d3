"""The numbers of turns that players have completed. A turn is what one player does before another one acts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.beginning import counted_player, counted_players, remembered_beginning
from gamedsl.engine.play.history import beginning_of, history, last_move
from gamedsl.engine.positions.refused import unfit
from gamedsl.engine.positions.standing import standing
from gamedsl.engine.positions.to_move import seat_of
from gamedsl.engine.saved_past import EVERYONE, MOST_TURNS, Beginning, Turns
from gamedsl.language.source import lazy_dataclass
from gamedsl.language.syntax import Datum, flow, plain

if TYPE_CHECKING:
    from gamedsl.engine.state import Game, State

_TURNS = "turns"  # a key of the cache of a state


@lazy_dataclass(frozen=True)
class _Turns:
    """The turns of a history. ``begun``: how many each player has begun since it began; ``last``: the player of the
    last one."""

    beginning: Beginning
    begun: tuple[int, ...]
    last: int | None = None

    def plus(self, player: int | None) -> _Turns:
        """These turns and another ply of a player (None: of chance)."""
        if player is None or player == self.last:
            return self
        return _Turns(self.beginning, tuple(n + (p == player) for p, n in enumerate(self.begun)), player)


def turns_completed(state: State, player: int | None) -> int:
    """The number of turns that a player has completed (None: all players together), including those before the history
    began."""
    turns = _turns(state)
    begun = sum(turns.begun) if player is None else turns.begun[player]
    is_going_on = player in (None, turns.last) and turns.last is not None and _acting(state) == turns.last
    return turns.beginning.turns.get(player, 0) + begun - is_going_on


def beginning_here(state: State) -> Beginning:
    """What is known of the plies before a state, for a history that begins with it."""
    counts = {p: turns_completed(state, p) for p in counted_players(state.game.program)}
    return Beginning({p: n for p, n in counts.items() if n}, remembered_beginning(state).last_mover)


def _acting(state: State) -> int | None:
    """The player whose turn it is; None if several choose at once, or the game is over."""
    if state.kind != "chance":
        return state.to_act[0] if len(state.to_act) == 1 else None
    place, there = standing(state)
    return None if place.is_exact or place.mover is None else seat_of(there, place.mover)


def _turns(state: State) -> _Turns:
    """The turns of the history of a state. They are cached with every state, so that the next one is cheap."""
    later: list[State] = []
    at = state
    while _TURNS not in at.cache and at.previous is not None:
        later.append(at)
        at = at.previous
    found: _Turns = at.cache.get(_TURNS) or _since_beginning(at)
    at.cache[_TURNS] = found
    for after in reversed(later):
        found = after.cache[_TURNS] = found.plus(last_move(after).player)
    return found


def _since_beginning(state: State) -> _Turns:
    found = _Turns(beginning_of(state), (0,) * len(state.game.players))
    for move in history(state):
        found = found.plus(move.player)
    return found


def read_turns(game: Game, place: Datum | None) -> Turns:
    """The numbers of turns that players had completed before a position, read from its entry ``turns``. Raises
    ``Broken`` if they are not counted, or not numbers."""
    if place is None:
        return {}
    counted = [EVERYONE if p is None else game.players[p] for p in counted_players(game.program)]
    if not counted:
        raise unfit(place, "no notation of this ruleset counts turns", help="omit `turns`")
    found: dict[int | None, int] = {}
    for name, datum in (place.value if isinstance(place.value, dict) else {None: place}).items():
        try:
            player = counted_player(game, name)
        except KeyError:
            told = f"turns of {name} are not counted" if name else "it is not clear whose turns these are"
            raise unfit(datum, told, near=tuple(counted), help=f"write `turns: {{ {counted[0]}: 12 }}`") from None
        number = plain(datum)
        if type(number) is not int or abs(number) > MOST_TURNS:
            raise unfit(
                datum, f"{flow(number)} is not a number of turns", help=f"write a whole number up to {MOST_TURNS:,}"
            )
        found[player] = number
    return found
