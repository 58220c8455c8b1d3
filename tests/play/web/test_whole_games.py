"""Every shipped ruleset is played to its end by somebody who only reads the sentence and looks at the board."""

from __future__ import annotations

from typing import Any

import pytest

from .browser import SIZES, needs_browser
from .whole_games import ENDED, LONG, NAMES, is_long, play_whole, rows

needs_browser()

QUICK = {"tic-tac-toe": "phone"}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_the_sentence_leads_to_the_end(chrome: Any, name: str, size: str) -> None:
    if QUICK.get(name, size) != size:
        pytest.skip("the other size of this game is in the long run")
    played, log = play_whole(chrome, name, size)
    assert played.result == ENDED, "\n".join(log[-20:])


def test_the_log_has_every_ruleset_in_both_sizes_and_every_game_ended() -> None:
    """Whole, but for those whose random games are long; a person needs at least an action for a ply."""
    found = rows()
    assert set(found) == {(name, size) for name in NAMES for size in SIZES}
    assert {key for key, one in found.items() if one.result != ENDED} == set()
    for (name, _), one in found.items():
        assert one.how == "whole" or (is_long(name) and one.plies >= LONG)
        assert one.actions >= one.plies and one.most <= one.actions
