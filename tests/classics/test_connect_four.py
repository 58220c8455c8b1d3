"""Connect four against OEIS A212693 (positions by ply) and Tromp's table of small boards."""

from __future__ import annotations

import pytest

import gamedsl
from tests.classics.solving import positions_by_ply, value
from tests.classics.soundness import is_sound, numbers, plays_end

POSITIONS = [1, 7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_sound() -> None:
    is_sound("connect-four")


def test_positions() -> None:
    assert positions_by_ply(gamedsl.load("connect-four").initial_state(), 5) == POSITIONS[:6]


@pytest.mark.slow
def test_more_positions() -> None:
    assert positions_by_ply(gamedsl.load("connect-four").initial_state(), 8) == POSITIONS


def test_sequences() -> None:
    # nobody can have four before ply 7, and no column is full before ply 6
    assert numbers("connect-four", 6) == [7**n for n in range(1, 7)]


@pytest.mark.slow
def test_four_by_four_is_a_draw() -> None:
    assert value(gamedsl.load("connect-four", rows=4, columns=4).initial_state()) == 0


@pytest.mark.parametrize("options", [{}, {"rows": 4, "columns": 5, "k": 3}, {"rows": 12, "columns": 12}])
def test_plays_end(options: dict[str, int]) -> None:
    plays_end("connect-four", 20, 144, **options)


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("connect-four", 200, 42)
