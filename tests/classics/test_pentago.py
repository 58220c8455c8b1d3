"""Pentago against the known numbers of sequences."""

from __future__ import annotations

import pytest

from tests.classics.soundness import is_sound, numbers, plays_end


def test_sound() -> None:
    is_sound("pentago")


def test_sequences() -> None:
    assert numbers("pentago", 2) == [288, 80640]


@pytest.mark.slow
def test_more_sequences() -> None:
    assert numbers("pentago", 3) == [288, 80640, 34 * 8 * 80640]


@pytest.mark.parametrize("options", [{}, {"early": "waits"}])
def test_plays_end(options: dict[str, str]) -> None:
    plays_end("pentago", 20, 36, **options)


@pytest.mark.slow
def test_many_plays() -> None:
    plays_end("pentago", 200, 36)
