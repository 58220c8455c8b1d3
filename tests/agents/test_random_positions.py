"""Positions of random games, from which agents learn."""

from __future__ import annotations

import gamedsl
from gamedsl.agents.position import compiled
from gamedsl.agents.random_positions import random_positions


def test_every_player_has_a_result_of_every_game() -> None:
    """Three players win from each other what they bet, so the three results of a game sum to 0."""
    found = random_positions(compiled(gamedsl.load("kuhn-poker", players=3)), 100, 500)
    assert found.games > 20 and found.results.shape[1] == 3
    assert (found.results[: found.games] != 0).any(axis=1).all()
    assert not found.results[: found.games].sum(axis=1).any() and not found.results[found.games :].any()
