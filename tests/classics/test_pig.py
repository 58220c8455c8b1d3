"""Pig: the die is fair, points only grow by holding, plays come to an end."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.classics.soundness import after, is_sound, plays_end


def test_sound() -> None:
    is_sound("pig")


def test_a_fair_die() -> None:
    outcomes = after("pig", "roll").chance_outcomes()
    assert {str(m): p for m, p in outcomes} == {f"roll {n}": Fraction(1, 6) for n in range(1, 7)}


def test_three_players_take_turns() -> None:
    state = after("pig", "roll", "roll 6", "hold", "roll", "roll 1", players=3)
    assert state.current_player == 2
    assert state.values("points") == [6, 0, 0]


@pytest.mark.parametrize("options", [{}, {"target": 2}, {"players": 6}, {"target": 200, "players": 3}])
def test_plays_end(options: dict[str, int]) -> None:
    plays_end("pig", 20, 20_000, **options)


@pytest.mark.slow
def test_many_plays() -> None:
    assert plays_end("pig", 200, 20_000) == {"p1", "p2"}
