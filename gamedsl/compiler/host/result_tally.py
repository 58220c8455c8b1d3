"""Reads and adds up the tallies of compiled playouts."""

from __future__ import annotations

import struct

from gamedsl.language.source import lazy_dataclass


@lazy_dataclass(frozen=True)
class Tally:
    """The results of playouts. Per player: sum and sum of squares of the utility, and the numbers of playouts with
    positive, zero and negative utility. ``lengths[n]``: the number of playouts of n plies (last bin: n or more).
    ``unfinished``: the number of playouts that reached the largest number of plies."""

    plays: int
    plies: int
    unfinished: int
    sums: tuple[float, ...]
    squares: tuple[float, ...]
    wins: tuple[int, ...]
    draws: tuple[int, ...]
    losses: tuple[int, ...]
    lengths: tuple[int, ...]


def _float(word: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<q", word))[0]
    return found


def read(pieces: list[list[int]], players: int) -> Tally:
    """The sum of some tallies, given as their words."""
    totals = pieces[0] if len(pieces) == 1 else [sum(words) for words in zip(*pieces, strict=True)]

    def each(offset: int) -> tuple[int, ...]:
        return tuple(totals[3 + 5 * p + offset] for p in range(players))

    def floats(offset: int) -> tuple[float, ...]:
        return tuple(sum(_float(piece[3 + 5 * p + offset]) for piece in pieces) for p in range(players))

    lengths = tuple(totals[3 + 5 * players :])
    plays, plies, unfinished = totals[:3]
    return Tally(plays, plies, unfinished, floats(0), floats(1), each(2), each(3), each(4), lengths)
