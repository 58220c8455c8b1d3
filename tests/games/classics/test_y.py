"""Y: nobody draws, and the first player wins small boards (strategy stealing)."""

from __future__ import annotations

import pytest

import gamedsl
from tests.games.classics.solving import value
from tests.games.classics.soundness import numbers, plays_end


def test_sequences() -> None:
    assert numbers("y", 2) == [66, 66 * 65]


@pytest.mark.parametrize("n", [2, 3, 4])
def test_the_first_player_wins(n: int) -> None:
    assert value(gamedsl.load("y", n=n).initial_state()) == 1


@pytest.mark.parametrize("n", [2, 5, 11, 20])
def test_nobody_draws(n: int) -> None:
    assert plays_end("y", 10, 210, n=n) <= {"white", "black"}
