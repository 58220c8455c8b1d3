"""Variants of shipped rulesets in a few lines: they are sound and differ from the original where they should."""

from __future__ import annotations

import pytest

from tests.games.classics.soundness import CLASSICS, plays_end

VARIANTS = ["misere-tic-tac-toe", "breakthrough-6x6", "hex-swap", "misere-nim", "x-s-and-lines-crossing"]


@pytest.mark.parametrize("name", VARIANTS)
def test_a_few_lines(name: str) -> None:
    lines = (CLASSICS / f"{name}.gdl").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("variant of") and len(lines) <= 12


@pytest.mark.parametrize("name", ["x-s-and-lines-crossing", "t-tic-t-tac-toe-version-2"])
def test_plays_end(name: str) -> None:
    plays_end(name, 3, 2000)
