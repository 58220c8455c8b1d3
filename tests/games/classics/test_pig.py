"""Pig: the die is fair, plays come to an end, and best play wins as often as Neller and Presser say."""

from __future__ import annotations

from fractions import Fraction

import pytest

import gamedsl
from gamedsl.lab.solve.solver import solve
from tests.games.classics.soundness import after, plays_end
from tests.values import codes_named


def test_a_fair_die() -> None:
    outcomes = after("pig", "roll").chance_outcomes()
    assert {str(m): p for m, p in outcomes} == {f"roll {n}": Fraction(1, 6) for n in range(1, 7)}


def test_three_players_take_turns() -> None:
    state = after("pig", "roll", "roll 6", "hold", "roll", "roll 1", players=3)
    assert state.current_player == 2
    assert codes_named(state, "points") == [6, 0, 0]


@pytest.mark.parametrize("options", [{}, {"target": 2}, {"players": 6}, {"target": 200, "players": 3}])
def test_plays_end(options: dict[str, int]) -> None:
    plays_end("pig", 20, 20_000, **options)


@pytest.mark.slow
def test_the_first_player_wins_as_often_as_published() -> None:
    """Neller and Presser (2004): with best play of both, whoever begins wins with probability 0.5306."""
    found = solve(gamedsl.load("pig").initial_state(), limit=3_000_000)
    assert found.complete and found.value is not None
    assert round((1 + float(found.value)) / 2, 4) == 0.5306
