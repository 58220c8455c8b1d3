"""Pentago against the known numbers of sequences."""

from __future__ import annotations

import pytest

from tests.games.classics.native import native_perft
from tests.games.classics.soundness import load, numbers, plays_end


def test_sequences() -> None:
    assert numbers("pentago", 2) == [288, 80640]


def test_more_sequences() -> None:
    assert native_perft(load("pentago").initial_state(), 3) == 34 * 8 * 80640  # 21934080


@pytest.mark.parametrize("options", [{}, {"early": "waits"}])
def test_plays_end(options: dict[str, str]) -> None:
    plays_end("pentago", 20, 36, **options)
