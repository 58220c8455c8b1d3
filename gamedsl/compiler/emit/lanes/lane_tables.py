"""What a step of the lanes needs to know besides the rules: the numbers of actions, and the entries of an observation.

All of it is plain data, so that compiled code can be kept under its text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

NOBODY = -2  # the owner of a slot that has none
MOST_BITS = 1024  # actions of which a lane keeps the legal ones as bits; more are listed

SlotCoding = Literal["number", "one-hot", "members", "items", "item numbers", "known"]


@dataclass(frozen=True)
class Digit:
    """A parameter as a digit of its action's number: the argument is ``low`` + digit, a step of it ``stride``."""

    low: int
    size: int
    stride: int


@dataclass(frozen=True)
class KindNumbers:
    """The moves of a schema have the numbers ``first`` to ``first + size - 1``."""

    first: int
    size: int
    digits: tuple[Digit, ...]


@dataclass(frozen=True)
class ActionNumbers:
    """``kinds``: by the number of a schema. ``passing``: the number of passing, or -1. ``named``: per block the numbers of
    its values or outcomes. ``bit_words``: the words of a row of legal actions as bits; 0 if they are listed."""

    kinds: tuple[KindNumbers | None, ...]
    passing: int
    named: tuple[tuple[int, ...], ...]
    bit_words: int = 0


@dataclass(frozen=True)
class Slots:
    """How the slots of a variable are written into an observation, the i-th at ``first + i * first_step``.

    It is ``at + i * at_step`` bytes into a block, in a unit of ``bits``, whose zero is ``low``. ``stride`` is the distance
    of two values of a one-hot, ``size`` the number of elements of a set or of values of an item. ``items`` is the offset
    of a stack's items, of ``item_bits`` each. ``owners``: per slot who sees it always (empty: everybody does).
    ``viewers``: per slot where the set of its viewers is, in ``viewer_bits``, or -1; ``everybody`` is the set of all.
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


@dataclass(frozen=True)
class LaneTables:
    """``stops``: per block its entries among the features of kind and phase. ``to_act``, ``kind``, ``phase``, ``won``,
    ``returns`` and ``scores``: where these features begin (-1: there is none)."""

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
        """The words of a lane's legal actions as bits; 0 if they are listed."""
        return self.numbers.bit_words
