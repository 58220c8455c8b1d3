"""Whist against a second, plain implementation of following suit and taking tricks; hands are seen by their owners alone."""

from __future__ import annotations

from random import Random

import pytest

from gamedsl import State
from tests.games.classics.soundness import load, plays_end

SUITS = ("clubs", "diamonds", "hearts", "spades")
RANKS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack", "queen", "king", "ace")
Card = tuple[int, int]  # suit, rank from 0


def card_of(text: str) -> Card:
    """The card in the text of a move."""
    rank, suit = text.split(" of ")
    return SUITS.index(suit), RANKS.index(rank)


class Deal:
    """A deal as a plain program has it: hands, the trick on the table, tricks of both sides."""

    def __init__(self, hands: list[set[Card]], trumps: int) -> None:
        self.hands, self.trumps = hands, trumps
        self.mover, self.trick, self.tricks = 0, list[tuple[int, Card]](), [0, 0]

    def legal(self) -> set[Card]:
        hand = self.hands[self.mover]
        following = {c for c in hand if self.trick and c[0] == self.trick[0][1][0]}
        return following or hand

    def play(self, card: Card) -> None:
        self.hands[self.mover].remove(card)
        self.trick.append((self.mover, card))
        self.mover = (self.mover + 1) % 4
        if len(self.trick) == 4:
            self.mover = self.winner()
            self.tricks[self.mover % 2] += 1
            self.trick = []

    def winner(self) -> int:
        best = self.trick[0]
        for seat, card in self.trick[1:]:
            if (card[0] == best[1][0] and card[1] > best[1][1]) or (card[0] == self.trumps != best[1][0]):
                best = (seat, card)
        return best[0]


def dealt(rng: Random, ranks: int) -> tuple[State, Deal]:
    """The same random deal twice."""
    pack = [(suit, 12 - at) for suit in range(4) for at in range(ranks)]
    state, hands = load("whist", ranks=ranks).initial_state(), [set[Card]() for _ in range(4)]
    last = (0, 0)
    for at in range(4 * ranks):
        outcomes = state.chance_outcomes()
        assert len({odds for _, odds in outcomes}) == 1 and len(outcomes) == 4 * ranks - at
        move, _ = rng.choice(outcomes)
        suit, rank = str(move).removeprefix("deal (").removesuffix(")").split(", ")
        last = SUITS.index(suit), RANKS.index(rank)
        assert last in pack
        hands[at // ranks].add(last)
        state = state.apply(move)
    return state, Deal(hands, last[0])


def same_deal(seed: int, ranks: int) -> None:
    """A random deal, played at random on both sides."""
    rng = Random(seed)
    state, deal = dealt(rng, ranks)
    while not state.is_terminal:
        assert state.current_player == deal.mover
        moves = {card_of(str(m)): m for m in state.legal_moves()}
        assert moves.keys() == deal.legal()
        card = rng.choice(sorted(moves))
        state = state.apply(moves[card])
        deal.play(card)
    assert list(state.scores) == [deal.tricks[seat % 2] for seat in range(4)]
    assert [seat % 2 for seat in sorted(state.winners)] == won(deal)


def won(deal: Deal) -> list[int]:
    """The sides of the seats that have won."""
    ours, theirs = deal.tricks
    return [] if ours == theirs else [int(theirs > ours)] * 2


@pytest.mark.parametrize("ranks", [4, 13])
def test_deals(ranks: int) -> None:
    for seed in range(12 if ranks == 4 else 3):
        same_deal(seed, ranks)


@pytest.mark.slow
@pytest.mark.parametrize("ranks", [4, 5, 13])
def test_many_deals(ranks: int) -> None:
    for seed in range(200):
        same_deal(seed, ranks)


def test_a_seat_sees_its_own_hand_and_the_trumps() -> None:
    state, deal = dealt(Random(7), 4)
    for seat in range(4):
        seen = state.observation(seat)["variables"]
        assert [hand is None for hand in seen["hand"]] == [p != seat for p in range(4)]
        assert seen["trumps"] == deal.trumps and seen["pack"] is None


def test_the_dealing_tells_nobody_of_others_cards() -> None:
    """While others are dealt to, a seat sees nothing change, until the last card lies open."""
    state = load("whist", ranks=4).initial_state()
    views = []
    for _ in range(16):
        views.append(state.observation(0))
        state = state.apply(state.chance_outcomes()[0][0])
    assert all(view == views[4] for view in views[4:15])
    assert views[15] != views[4]


def test_sides_win_together() -> None:
    assert plays_end("whist", 20, 200, ranks=4) <= {"north and south", "east and west", "nobody"}
