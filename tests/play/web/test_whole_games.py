"""Every shipped ruleset is played to its end by somebody who only reads the sentence and looks at the board."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from .browser import SIZES, browser, needs_browser
from .whole_games import ENDED, NAMES, play_whole

needs_browser()

QUICK = {"tic-tac-toe": "phone"}


@pytest.fixture(scope="module")
def chrome() -> Iterator[Any]:
    with browser() as found:
        yield found


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("name", [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in NAMES])
def test_the_sentence_leads_to_the_end(chrome: Any, name: str, size: str) -> None:
    if QUICK.get(name, size) != size:
        pytest.skip("the other size of this game is in the long run")
    played, log = play_whole(chrome, name, size)
    assert played.result == ENDED, "\n".join(log[-20:])
