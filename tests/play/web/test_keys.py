"""Whole games by keys alone: Tab, arrows and Enter; random legal moves of a fixed seed, to the end.

hex is played on a board of 6 by 6. All are slow; the quick sibling is ``test_a_game_is_played_by_keys_alone``."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl

from .browser import give_back, needs_browser, open_page
from .clicking import play_by_keys
from .dev_table import DevTable

needs_browser()

BY_KEYS: dict[str, dict[str, int]] = {"hex": {"n": 6}, "breakthrough-6x6": {}}  # with their options


def played(chrome: Any, name: str, **options: int) -> DevTable:
    """A table after a whole game in the browser."""
    table = DevTable(gamedsl.load(name, **options))
    page = open_page(chrome, table)
    try:
        play_by_keys(page, table, Random(5))
        assert not page.faults
    finally:
        give_back(page)
    return table


@pytest.mark.slow
def test_a_game_by_keys(chrome: Any) -> None:
    assert played(chrome, "tic-tac-toe").state.is_terminal


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(BY_KEYS))
def test_longer_games_by_keys(chrome: Any, name: str) -> None:
    assert played(chrome, name, **BY_KEYS[name]).state.is_terminal
