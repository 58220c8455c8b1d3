"""The plies of a game, or of every game of one of its parts, as claims of an end count them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from gamedsl.engine import State
from gamedsl.lab.base.successor_list import is_half


def plies_so_far(states: Iterable[State], part: int) -> Iterator[tuple[int, bool]]:
    """Yields for each state how many plies the game of a part (0: the whole game) has had, with the ply that ended it, and
    whether it continues there. Chance counts none, a simultaneous choice one, and the plies of a part inside count."""
    count, before = 0, None
    for state in states:
        played = state.game.parts_played
        if before is not None and (part == 0 or part in played[before.part]):
            count += not (before.kind == "chance" or is_half(before))
        continues = part in played[state.part] and part not in state.entered if part else not state.is_terminal
        yield count, continues
        count = count if continues else 0
        before = state


def most_plies(states: Iterable[State], part: int) -> int:
    """Returns the plies of the longest game of a part along these states."""
    return max(count for count, _ in plies_so_far(states, part))
