"""The leaf value learned from a few seconds of self-play: what it learns, when it is taken, and what the cache may hold."""

from __future__ import annotations

import numpy as np
import pytest

from gamedsl.agents import kept_data, self_play_value
from gamedsl.agents.contender import match
from gamedsl.agents.leaf_value import leaf_value
from tests.agents.play import fresh, watch_kept_data


def quick(monkeypatch: pytest.MonkeyPatch, games: int, generations: int = 2) -> None:
    """Learns from fewer games, whatever they take."""
    monkeypatch.setattr(self_play_value, "_affordable", lambda *_: games)
    monkeypatch.setattr(self_play_value, "GENERATIONS", generations)


def test_self_play_beats_random_games_at_breakthrough_and_repeats(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch, 100, 4)
    native = fresh("breakthrough")
    random = leaf_value(native)
    assert random is not None
    learned = self_play_value._learned(native, random)
    assert learned is not None and learned.games == 400 and learned.origin == "400 games of self-play"
    points, games = match(native, learned, random, 6)
    assert points > games / 2
    again = self_play_value._learned(native, random)
    assert again is not None and (again.weights == learned.weights).all()


def test_what_wins_the_match_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch, 20)
    kept = watch_kept_data(monkeypatch)
    for points, games in ((4.0, 40), (3.0, 0)):
        monkeypatch.setattr(self_play_value, "match", lambda *_, points=points: (points, 6))
        native = fresh("tic-tac-toe")
        found, random = self_play_value.best_value(native), leaf_value(native)
        assert found is not None and random is not None and found.games == games
        assert kept["self-play value"]["games"] == games and kept["self-play value"]["points"] == points
        assert (found.weights == random.weights).all() == (games == 0)


def test_games_that_take_too_long_are_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play_value, "SECONDS", 0.0)
    native = fresh("tic-tac-toe")
    random = leaf_value(native)
    assert random is not None and self_play_value._affordable(native, random) == 0
    assert self_play_value._learned(native, random) is None
    monkeypatch.setattr(self_play_value, "SECONDS", 1e6)
    assert self_play_value._affordable(native, random) == self_play_value.GAMES[0]


def test_without_winners_nothing_is_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch, 5, 1)  # fewer than FEWEST
    native = fresh("tic-tac-toe")
    random = leaf_value(native)
    assert random is not None and self_play_value._learned(native, random) is None


@pytest.mark.parametrize(
    "data", [b"", b"{}", b"[1]", b'{"games": 4, "points": 1, "of": 2, "weights": [1, 2]}', b"[" * 9]
)
def test_forged_values_are_learned_anew(data: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch, 5, 1)
    native = fresh("tic-tac-toe")
    random = leaf_value(native)
    assert random is not None
    monkeypatch.setattr(kept_data, "cached_data", lambda *_: data)
    found = self_play_value._kept(native, random)
    assert np.array_equal(found.weights, random.weights)
