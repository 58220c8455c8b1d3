"""At the end of a game everybody sees what its results may tell, and nothing else; before the end nobody does."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import gamedsl
from gamedsl.engine import State, Unknown, codes_of
from gamedsl.engine.picture import view
from gamedsl.lab.base import Status
from gamedsl.lab.claims import VerifyConfig, verify

# By their claims `results may tell`.
TOLD = {
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


def played(name: str, seed: int, line: str, options: dict[str, int] | None = None) -> State:
    """The end of a game in which the cards are dealt at random, and these moves are made."""
    state, rng = gamedsl.load(name, **(options or {})).initial_state(), Random(seed)
    moves = line.split()
    while not state.is_terminal:
        state = state.apply(state.propose(rng) if not state.to_act else state.game.parse_move(moves.pop(0), state))
    assert not moves
    return state


def hands_shown(state: State, seat: int | None) -> list[bool]:
    (hand,) = (v for v in state.game.program.variables if v.name == "hand")
    return [not isinstance(code, Unknown) for code in codes_of(state.revealed_to(seat), hand)]


@pytest.mark.parametrize(
    (
        "name",
        "players",
        "line",
        "shown",
    ),  # by the rules of poker: who folds shows nothing, and who is left alone need not
    [
        ("kuhn-poker", 2, "bet fold", [False, False]),
        ("kuhn-poker", 2, "bet call", [True, True]),
        ("kuhn-poker", 2, "check check", [True, True]),
        ("kuhn-poker", 3, "bet fold call", [True, False, True]),
        ("kuhn-poker", 3, "bet fold fold", [False, False, False]),
        ("leduc-poker", 2, "raise fold", [False, False]),
        ("leduc-poker", 2, "check check check check", [True, True]),
        ("leduc-poker", 2, "check check raise fold", [False, False]),
    ],
)
def test_a_folded_hand_stays_secret(name: str, players: int, line: str, shown: list[bool]) -> None:
    options = {"players": players} if players > 2 else {}
    end = played(name, 5, line, options)
    assert hands_shown(end, None) == shown
    for seat in range(players):
        assert hands_shown(end, seat) == [is_shown or owner == seat for owner, is_shown in enumerate(shown)]


FAILING = """
game "Quitters"

players one, two

state
  hand: player -> 0..3, seen by owner
  last: player?

move quit written "quit"
  set last to me

move wait written "wait"
  set last to none

play
  for p in players
    set hand[p] to 2
  turns from one, 2 times
    me plays quit | wait
    if last is some
      score by hand
  score by hand

claim results may tell hand when me = the({p in players: p = last})
"""


@pytest.mark.parametrize(
    ("line", "shown"), [("quit", [True, False]), ("wait quit", [False, True]), ("wait wait", [False] * 2)]
)
def test_a_condition_that_fails_tells_nothing(tmp_path: Path, line: str, shown: list[bool]) -> None:
    """After two waits the set is empty, and `the` has no value; the end was shown to nobody then."""
    (tmp_path / "quitters.gdl").write_text(FAILING, encoding="utf-8")
    end = played(str(tmp_path / "quitters.gdl"), 1, line)
    assert hands_shown(end, None) == shown
    assert view(end, viewer=0, over=end).beside


def test_a_condition_that_fails_is_a_violated_claim(tmp_path: Path) -> None:
    """By hand: after two waits `last` is none, so no player is in the set."""
    file = tmp_path / "quitters.gdl"
    file.write_text(FAILING, encoding="utf-8")
    (claim,) = verify(file, config=VerifyConfig(defaults=False)).verdicts
    assert (claim.status, claim.place.line) == (Status.VIOLATED, 25)
    assert "the set is empty here" in claim.detail
    assert claim.evidence and [m.text for m in claim.evidence.moves] == ["wait", "wait"]
    file.write_text(FAILING.replace("me = the(", "me in ("), encoding="utf-8")
    (claim,) = verify(file, config=VerifyConfig(defaults=False)).verdicts
    assert claim.status == Status.PROVED and "ends" not in claim.detail  # such a condition cannot fail
    file.write_text(FAILING.replace(" when me", " when last is none or me"), encoding="utf-8")
    (claim,) = verify(file, config=VerifyConfig(defaults=False)).verdicts
    assert claim.status == Status.PROVED and "has a value at all 3 ends" in claim.detail


@pytest.mark.parametrize("name", ["whist", "goofspiel", "tic-tac-toe"])
def test_without_such_a_claim_nothing_is_revealed(name: str) -> None:
    end = states(name, 2)[-1]
    for seat in (None, 0, 1):
        assert known(end.revealed_to(seat)) == known(end.seen_by(seat))


def test_the_picture_shows_both_hands_after_the_end_alone() -> None:
    *before, end = states("liars-dice", 4)
    moments = ((before[-1], False), (end, False), (end, True))
    shown = [view(state, viewer=0, over=state if is_over else None).held[0].places for state, is_over in moments]
    assert [places[1] is None for places in shown] == [True, True, False]
