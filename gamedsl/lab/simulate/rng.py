"""Random numbers: each game of a run has its own stream, so the order in which games are played does not matter."""

from __future__ import annotations

from gamedsl.compiler import GAMMA, MASK, mix

STRIDE = 0xD1B54A32D192ED03  # odd, so that the games of one run have distinct keys


def key(seed: int, play: int) -> int:
    """Returns the start of a game's stream. Any integer is a seed; seeds equal modulo 2**64 are equivalent."""
    return mix(mix((seed + GAMMA) & MASK) ^ ((play + 1) * STRIDE & MASK))


class Draws:
    """The stream of one game. ``count``: words consumed so far."""

    def __init__(self, key: int) -> None:
        self.key = key
        self.count = 0

    def word(self) -> int:
        """Returns the next 64 bits."""
        self.count += 1
        return mix((self.key + self.count * GAMMA) & MASK)

    def below(self, n: int) -> int:
        """Returns a uniform number from 0 to n - 1 (n from 1 to 2**63) by rejection sampling.

        Words are masked to the bits of n - 1, and those too large are discarded. For n = 1 nothing is consumed.
        """
        mask = (1 << (n - 1).bit_length()) - 1
        if not mask:
            return 0
        while (drawn := self.word() & mask) >= n:
            pass
        return drawn
