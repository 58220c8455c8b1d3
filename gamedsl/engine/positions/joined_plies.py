"""Notation that joins the plies of one turn.

Where a turn is several plies, books write it as one move: ``37x28x19`` for ``37x28`` and ``28x19``, or just ``37x19``;
``13/8/5`` for ``13/8`` and ``8/5``. This works if the notation of each ply is two words with a sign between them, and
each ply begins with the word with which the previous one ended.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import tidy
from gamedsl.engine.positions.move_notations import spellings
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.state import State

MOST_STATES = 2_000  # are looked at for one text


@lazy_dataclass(frozen=True)
class _Way:
    """Plies that a text may stand for, and the state after them."""

    plies: tuple[Move, ...]
    after: State

    def is_whole(self, player: int) -> bool:
        """Whether the turn is over after them."""
        return self.after.is_terminal or self.after.to_act != (player,)


def read_joined(state: State, text: str, player: int) -> tuple[Move, ...]:
    """The plies that a text of several stops stands for; empty if there are none. Stops between the first and the last
    may be left out. Raises ``GameDSLError`` (E0502) if the text can mean plies that lead to different positions."""
    for sign, stops in _stops(tidy(text).casefold()):
        found = _ways(state, stops, sign, player)
        ways = [way for way in found if way.is_whole(player)] or found
        if any(way.after != ways[0].after for way in ways):
            meant = ", ".join("; ".join(map(str, way.plies)) for way in ways[:4])
            raise play_error("E0502", f"{tidy(text)!r} can mean several moves", help=f"write one of: {meant}")
        if ways:
            return ways[0].plies
    return ()


def _stops(text: str) -> Iterator[tuple[str, list[str]]]:
    """The ways to split a text into words at one and the same sign."""
    for sign in dict.fromkeys(re.findall(r"[^\w\s]+|(?<=\w)x(?=\w)", text)):
        stops = text.split(sign)
        if len(stops) > 1 and all(re.fullmatch(r"\w+", stop) for stop in stops):
            yield sign, stops


def _ways(state: State, stops: list[str], sign: str, player: int) -> list[_Way]:
    """The sequences of two or more plies from the first stop to the last that pass the others in this order; none if
    there are too many states to look at."""
    found, looked_at = list[_Way](), 0
    front: list[tuple[State, str, int, tuple[Move, ...]]] = [(state, stops[0], 1, ())]
    while front:
        here, last, passed, plies = front.pop()
        looked_at += 1
        if looked_at > MOST_STATES:
            return []
        for move, stop in _steps(here, last, sign, player):
            after, made = here.apply(move), (*plies, move)
            on_the_way = passed + (passed < len(stops) - 1 and stop == stops[passed])
            if len(made) > 1 and stop == stops[-1] and on_the_way == len(stops) - 1:
                found.append(_Way(made, after))
            if not after.is_terminal and after.kind == "player" and after.to_act == (player,):
                front.append((after, stop, on_the_way, made))
    return found


def _steps(state: State, last: str, sign: str, player: int) -> Iterator[tuple[Move, str]]:
    """The legal plies that begin with a word, each with the word it ends with."""
    for move in state.legal_moves(player):
        for text in spellings(state, move):
            first, found, stop = text.casefold().partition(sign)
            if found and first == last and sign not in stop and re.fullmatch(r"\w+", stop):
                yield move, stop
                break
