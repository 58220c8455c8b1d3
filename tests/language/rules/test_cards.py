"""Cards: dealt from sets, bags and stacks; discarded; shuffled into a deck."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from gamedsl import Game, State
from gamedsl.language.source.diagnostic import GameDSLError
from tests.values import codes_named

ACE, KING, QUEEN = 1, 2, 4  # sets of one card, as bits
CARDS = ("ace", "king", "queen")
HEAD = "players one, two\n\ntype card = {ace, king, queen}\n\nstate\n"


def game(folder: Path, state: str, play: str, moves: str = "", backend: str = "interpreter") -> Game:
    path = folder / "cards.gdl"
    lines = "".join(f"  {line}\n" for line in state.split("; "))
    body = "".join(f"  {line}\n" for line in play.split("; "))
    path.write_text(f"{HEAD}{lines}\n{moves}\nplay\n{body}", encoding="utf-8")
    return gamedsl.load(path, backend=backend)


def chances(state: State) -> dict[str, Fraction]:
    return {str(move): p for move, p in state.chance_outcomes()}


def after(state: State, *texts: str) -> State:
    for text in texts:
        state = state.apply(state.game.parse_move(text, state))
    return state


def test_from_a_set_every_card_is_as_probable(tmp_path: Path) -> None:
    found = game(tmp_path, "deck: set of card = card; hand: set of card", "deal 2 from deck to hand; draw")
    start = found.initial_state()
    assert chances(start) == {f"deal {c}": Fraction(1, 3) for c in ("ace", "king", "queen")}
    second = after(start, "deal king")
    assert chances(second) == {f"deal {c}": Fraction(1, 2) for c in ("ace", "queen")}
    end = after(second, "deal ace")
    assert end.is_terminal
    assert (codes_named(end, "deck"), codes_named(end, "hand")) == ([QUEEN], [ACE | KING])


def test_from_a_bag_by_how_many_there_are(tmp_path: Path) -> None:
    """Two of each; after an ace one ace of five cards is left."""
    found = game(tmp_path, "deck: card -> 0..2 = 2; hand: card -> 0..2", "deal 2 from deck to hand; draw")
    second = after(found.initial_state(), "deal ace")
    assert chances(second) == {"deal ace": Fraction(1, 5), "deal king": Fraction(2, 5), "deal queen": Fraction(2, 5)}
    end = after(second, "deal ace")
    assert codes_named(end, "hand") == [2, 0, 0]
    assert codes_named(end, "deck") == [0, 2, 2]


def test_from_the_top_of_a_stack(tmp_path: Path) -> None:
    state = "deck: stack of card up to 3; held: card?"
    play = "push ace on deck; push king on deck; deal from deck to held; if held = king; __win one; draw"
    found = game(tmp_path, state, play.replace("__", "  "))
    assert found.initial_state().winners == frozenset({0})


@pytest.mark.parametrize("backend", ["interpreter", "native"])
def test_what_is_not_there_cannot_be_discarded(tmp_path: Path, backend: str) -> None:
    moves = 'move throw(k: card) written "{k}"\n  discard k from hand to heap\n'
    play = "deal 1 from deck to hand; turns from one, 2 times; __me plays throw; draw".replace("__", "  ")
    state = "deck: set of card = {ace}; hand: set of card; heap: set of card"
    start = after(game(tmp_path, state, play, moves, backend).initial_state(), "deal ace")
    assert codes_named(after(start, "ace"), "heap") == [ACE]
    with pytest.raises(GameDSLError, match="what is discarded is not there"):
        after(start, "king")


def test_several_are_discarded_at_once(tmp_path: Path) -> None:
    state = "hand: set of card = {ace, king}; heap: card -> 0..1"
    found = game(
        tmp_path,
        state,
        "discard {ace, king} from hand to heap; if heap[ace] + heap[king] = 2; __win one; draw".replace("__", "  "),
    )
    assert found.initial_state().winners == frozenset({0})


@pytest.mark.parametrize(
    ("state", "first"),
    [
        ("deck: set of card = {ace}; heap: set of card = {king, queen}", {"ace", "king", "queen"}),
        ("deck: card -> 0..2; heap: card -> 0..1 = 1", {"ace", "king", "queen"}),
    ],
)
def test_a_heap_is_shuffled_into_a_deck(state: str, first: set[str], tmp_path: Path) -> None:
    found = game(tmp_path, state + "; held: card?", "shuffle heap into deck; deal from deck to held; draw")
    assert set(chances(found.initial_state())) == {f"deal {c}" for c in first}


def test_stacks_are_shuffled_together(tmp_path: Path) -> None:
    """Three cards come in any of six orders, each drawn by chance."""
    state = "deck: stack of card up to 3; heap: stack of card up to 2; held: card?"
    play = (
        "push ace on deck; push king on heap; push queen on heap; shuffle heap into deck; deal from deck to held; draw"
    )
    start = game(tmp_path, state, play).initial_state()
    tops = {
        (a, b, c): codes_named(after(start, a, b, c), "held")[0]
        for a in chances(start)
        for b in chances(after(start, a))
        for c in chances(after(start, a, b))
    }
    assert len(tops) == 6
    assert all(CARDS[top - 1] == order[-1].removeprefix("shuffle ") for order, top in tops.items())


def test_hidden_cards_stay_hidden(tmp_path: Path) -> None:
    state = "deck: set of card = card, seen by nobody; hand: player -> set of card, seen by owner"
    start = game(tmp_path, state, "deal from deck to hand[one]; deal from deck to hand[two]; draw").initial_state()
    seen = {
        str(after(start, f"deal {mine}", f"deal {theirs}").observation(0))
        for mine, theirs in [("ace", "king"), ("ace", "queen")]
    }
    assert len(seen) == 1
