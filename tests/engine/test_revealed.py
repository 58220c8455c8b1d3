"""At the end of a game everybody sees what its results may tell, and nothing else; before the end nobody does."""

from __future__ import annotations

from random import Random

import pytest

import gamedsl
from gamedsl.engine import State, Unknown, codes_of
from gamedsl.engine.picture import view

# By their claims `results may tell`.
TOLD = {
    "kuhn-poker": {"hand"},
    "leduc-poker": {"hand"},
    "liars-dice": {"cup"},
    "sealed-bid-auction": {"worth"},
    "phantom-tic-tac-toe": {"mark"},
}


def states(name: str, seed: int) -> list[State]:
    rng, found = Random(seed), [gamedsl.load(name).initial_state()]
    while not found[-1].is_terminal:
        found.append(found[-1].apply(found[-1].propose(rng)))
    return found


def known(state: State) -> set[str]:
    """The hidden variables of which nothing is unknown."""
    hidden = [v for v in state.game.program.variables if v.seen != "all" and v.role in ("state", "piece")]
    return {v.name for v in hidden if not any(isinstance(code, Unknown) for code in codes_of(state, v))}


@pytest.mark.parametrize("name", sorted(TOLD))
def test_the_end_reveals_what_the_results_may_tell(name: str) -> None:
    end = states(name, 4)[-1]
    for seat in (None, 0, 1):
        assert not TOLD[name] & known(end.seen_by(seat))
        assert known(end.revealed_to(seat)) == known(end.seen_by(seat)) | TOLD[name]


@pytest.mark.parametrize("name", ["whist", "goofspiel", "tic-tac-toe"])
def test_without_such_a_claim_nothing_is_revealed(name: str) -> None:
    end = states(name, 2)[-1]
    for seat in (None, 0, 1):
        assert known(end.revealed_to(seat)) == known(end.seen_by(seat))


def test_the_picture_shows_both_hands_after_the_end_alone() -> None:
    *before, end = states("kuhn-poker", 4)
    moments = ((before[-1], False), (end, False), (end, True))
    shown = [view(state, viewer=0, is_revealed=is_over).held[0].places for state, is_over in moments]
    assert [places[1] is None for places in shown] == [True, True, False]
