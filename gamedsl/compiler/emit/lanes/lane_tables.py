"""The data that a step of the lanes needs besides the rules: the numbers of actions, and the entries of an observation.

All of it is plain data, so that its text can be part of the key under which compiled code is cached.
"""

from __future__ import annotations

from typing import Literal

from gamedsl.language.source import lazy_dataclass

NOBODY = -2  # in place of the owner of a slot that has none
MOST_BITS = 1024  # up to this many actions, a lane keeps the legal ones as bits; of more, it lists them

SlotCoding = Literal["number", "one-hot", "members", "items", "item numbers", "known"]


@lazy_dataclass(frozen=True)
class Digit:
    """A parameter as a digit of its action's number. The argument is ``low`` plus the digit, and a step of the digit
    changes the number by ``stride``."""

    low: int
    size: int
    stride: int


@lazy_dataclass(frozen=True)
class KindNumbers:
    """The numbers of a schema's moves: ``first`` to ``first + size - 1``."""

    first: int
    size: int
    digits: tuple[Digit, ...]


@lazy_dataclass(frozen=True)
class ActionNumbers:
    """The numbers of all actions. ``kinds``: by the number of a schema. ``passing``: the number of passing, or -1.
    ``named``: per block, the numbers of its values or outcomes. ``bit_words``: the number of words for the legal
    actions as bits; 0 if they are listed."""

    kinds: tuple[KindNumbers | None, ...]
    passing: int
    named: tuple[tuple[int, ...], ...]
    bit_words: int = 0


@lazy_dataclass(frozen=True)
class Slots:
    """The slots of a variable in an observation, the i-th at entry ``first + i * first_step``.

    In the state it is ``at + i * at_step`` bytes from the start, in a unit of ``bits``, in which 0 stands for ``low``.
    ``stride`` is the distance between two values of a one-hot, ``size`` the number of elements of a set or of values of
    an item. ``items`` is the offset of a stack's items, of ``item_bits`` each. ``owners``: per slot, the player who
    always sees it (empty: everybody does). ``viewers``: per slot, the offset of the set of its viewers, in
    ``viewer_bits``, or -1; ``everybody`` is the set of all players.
    """

    coding: SlotCoding
    count: int
    at: int
    at_step: int
    first: int
    first_step: int
    bits: int
    low: int
    stride: int
    size: int
    items: int = 0
    item_bits: int = 0
    owners: tuple[int, ...] = ()
    viewers: tuple[int, ...] = ()
    viewer_bits: int = 0
    everybody: int = 0


@lazy_dataclass(frozen=True)
class LaneTables:
    """``stops``: per block, its indices within the features of kind and phase. ``to_act``, ``kind``, ``phase``,
    ``won``, ``returns`` and ``scores``: the first entries of these features (-1: there is none)."""

    players: int
    actions: int
    observed: int
    numbers: ActionNumbers
    stops: tuple[tuple[int, int], ...]
    slots: tuple[Slots, ...]
    to_act: int
    kind: int
    phase: int
    won: int
    returns: int
    scores: int

    @property
    def bit_words(self) -> int:
        """The number of words for a lane's legal actions as bits; 0 if they are listed."""
        return self.numbers.bit_words
