"""Random games of sets that grow: the compiled rules do what the engine does, and every form of play ends alike."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from gamedsl.compiler.transform.monitors import Components

from .growing_games import growing_game
from .test_piece_games import AT_ONCE, check, specialized

SEEDS = 300


@pytest.mark.parametrize("seed", [0, 177])
def test_a_few(seed: int, tmp_path: Path) -> None:
    assert check(growing_game(seed), seed, tmp_path, plays=200)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, SEEDS, AT_ONCE))
def test_three_hundred(first: int, tmp_path: Path) -> None:
    assert all(check(growing_game(seed), seed, tmp_path, plays=1000) for seed in range(first, first + AT_ONCE))


@pytest.mark.slow
def test_the_monitors_are_tried(tmp_path: Path) -> None:
    """Of fifty games, each kind of monitor is in at least two, and so is a set of remaining elements."""
    found: Counter[str] = Counter()
    for special in specialized(growing_game, 50, tmp_path):
        assert special is not None
        monitors = special.incremental.monitors
        components = [m for m in monitors if isinstance(m, Components)]
        found.update({type(m).__name__ for m in monitors})
        found["surrounds"] += any(m.surrounds for m in components)
        found["last"] += any(m.last is not None for m in components)
        found["remaining"] += special.incremental.remaining is not None
    kinds = ("Lines", "Reach", "Components", "surrounds", "last", "remaining")
    assert min(found[kind] for kind in kinds) >= 2, found
