"""Nim against Bouton's theory, Kayles against its known Grundy numbers (OEIS A002186)."""

from __future__ import annotations

from itertools import combinations_with_replacement

import pytest

import gamedsl
from tests.games.classics.solving import grundy, value
from tests.games.classics.soundness import plays_end

KAYLES = [1, 2, 3, 1, 4, 3, 2, 1, 4, 2, 6, 4]
HEAPS = list(combinations_with_replacement(range(4), 3))


@pytest.mark.parametrize("heaps", HEAPS, ids=str)
def test_sums(heaps: tuple[int, int, int]) -> None:
    a, b, c = heaps
    assert value(gamedsl.load("nim", a=a, b=b, c=c).initial_state()) == (1 if a ^ b ^ c else -1)


@pytest.mark.parametrize("heaps", HEAPS, ids=str)
def test_misere_sums(heaps: tuple[int, int, int]) -> None:
    a, b, c = heaps
    first_wins = (a ^ b ^ c != 0) if max(heaps) > 1 else sum(heaps) % 2 == 0
    assert value(gamedsl.load("misere-nim", a=a, b=b, c=c).initial_state()) == (1 if first_wins else -1)


@pytest.mark.parametrize("size", range(6))
def test_a_heap_is_its_own_grundy_number(size: int) -> None:
    assert grundy(gamedsl.load("nim", a=size, b=0, c=0).initial_state(), {}, "size") == size


@pytest.mark.parametrize("pins", range(1, 13))
def test_kayles(pins: int) -> None:
    assert grundy(gamedsl.load("kayles", pins=pins).initial_state(), {}, "pin") == KAYLES[pins - 1]


def test_plays_end() -> None:
    assert plays_end("nim", 20, 12) == {"first", "second"}
    assert plays_end("nim", 20, 60, a=15, b=15, c=15, d=15, misere=True) == {"first", "second"}
    assert plays_end("kayles", 20, 40, pins=40) == {"first", "second"}
