"""The random numbers of a play: a stream for every play of a run, whoever computes it and in which order."""

from __future__ import annotations

from gamedsl.native.emit.splitmix import GAMMA, MASK, mix

STRIDE = 0xD1B54A32D192ED03  # odd, so that plays of one run have different keys


def key(seed: int, play: int) -> int:
    """Where the stream of a play begins. Any whole number is a seed; those that are equal modulo 2**64 are the same."""
    return mix(mix((seed + GAMMA) & MASK) ^ ((play + 1) * STRIDE & MASK))


class Draws:
    """The stream of one play. ``count`` is how many words have been taken from it."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.count = 0

    def word(self) -> int:
        """The next 64 bits."""
        self.count += 1
        return mix((self.key + self.count * GAMMA) & MASK)

    def below(self, n: int) -> int:
        """A number from 0 to n - 1, each equally likely (n from 1 to 2**63): words are cut to the bits of n - 1, and those
        that are too large are thrown away. Nothing is taken from the stream for n = 1."""
        mask = (1 << (n - 1).bit_length()) - 1
        if not mask:
            return 0
        while (drawn := self.word() & mask) >= n:
            pass
        return drawn
