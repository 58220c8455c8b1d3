"""Breakthrough against the known numbers of sequences, and the board of six by six."""

from __future__ import annotations

import pytest

from tests.classics.soundness import is_sound, numbers, plays_end

SEQUENCES = [22, 484, 11132, 256036, 6182818]


@pytest.mark.parametrize("name", ["breakthrough", "breakthrough-6x6"])
def test_sound(name: str) -> None:
    is_sound(name)


def test_sequences() -> None:
    assert numbers("breakthrough", 3) == SEQUENCES[:3]


@pytest.mark.slow
def test_more_sequences() -> None:
    assert numbers("breakthrough", 4) == SEQUENCES[:4]


def test_six_by_six() -> None:
    assert numbers("breakthrough-6x6", 2) == [16, 256]  # no man can meet another yet


@pytest.mark.parametrize("options", [{}, {"rows": 5, "columns": 2}, {"rows": 6, "columns": 16}])
def test_plays_end(options: dict[str, int]) -> None:
    assert plays_end("breakthrough", 10, 2000, **options) <= {"white", "black"}


@pytest.mark.slow
def test_many_plays() -> None:
    assert plays_end("breakthrough", 200, 2000) == {"white", "black"}
