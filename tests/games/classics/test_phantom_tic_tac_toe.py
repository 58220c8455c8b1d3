"""Phantom tic-tac-toe: what each seat may know, and numbers that follow from the rules by hand."""

from __future__ import annotations

from random import Random

import pytest

from tests.games.classics.soundness import after, load, numbers, plays_end

NAME = "phantom-tic-tac-toe"


def test_sequences() -> None:
    """The second try hits in 9 of 81 cases (then 8 squares are left to O), and leaves X with 8 squares otherwise."""
    assert numbers(NAME, 3) == [9, 81, 9 * 8 + 72 * 8]


def test_a_seat_sees_its_own_marks_and_finds() -> None:
    state = after(NAME, "b2", "b2", "a1")
    assert state.observation(0)["variables"]["mark"] == [1 << 4, None]
    assert state.observation(1)["variables"]["mark"] == [None, 1]
    assert state.observation(1)["variables"]["found"] == [None, 1 << 4]


@pytest.mark.parametrize("seed", range(10))
def test_legal_moves_follow_from_what_the_seat_sees(seed: int) -> None:
    rng, state = Random(seed), load(NAME).initial_state()
    known: dict[str, list[str]] = {}
    while not state.is_terminal:
        seen = state.observation(state.current_player)
        legal = [str(m) for m in state.legal_moves()]
        assert known.setdefault(str(seen), legal) == legal
        marks, found = (seen["variables"][n][state.current_player] for n in ("mark", "found"))
        assert len(legal) == 9 - (marks | found).bit_count()
        state = state.apply(state.propose(rng))


def test_all_outcomes() -> None:
    assert plays_end(NAME, 60, 17) == {"X", "O", "nobody"}
