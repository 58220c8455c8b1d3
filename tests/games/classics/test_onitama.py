"""Onitama against a second, plain implementation that reads the cards as pictures, move by move beside random plays."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from tests.games.classics.soundness import load, plays_end

# The cards as printed: the man stands at o, forward is up.
PICTURES = {
    "tiger": "..x.. ..... ..o.. ..x.. .....",
    "dragon": "..... x...x ..o.. .x.x. .....",
    "frog": "..... .x... x.o.. ...x. .....",
    "rabbit": "..... ...x. ..o.x .x... .....",
    "crab": "..... ..x.. x.o.x ..... .....",
    "elephant": "..... .x.x. .xox. ..... .....",
    "goose": "..... .x... .xox. ...x. .....",
    "rooster": "..... ...x. .xox. .x... .....",
    "monkey": "..... .x.x. ..o.. .x.x. .....",
    "mantis": "..... .x.x. ..o.. ..x.. .....",
    "horse": "..... ..x.. .xo.. ..x.. .....",
    "ox": "..... ..x.. ..ox. ..x.. .....",
    "crane": "..... ..x.. ..o.. .x.x. .....",
    "boar": "..... ..x.. .xox. ..... .....",
    "eel": "..... .x... ..ox. .x... .....",
    "cobra": "..... ...x. .xo.. ...x. .....",
}
RED_STAMPS = {"boar", "cobra", "dragon", "elephant", "frog", "horse", "mantis", "rooster"}
SQUARES = [f"{column}{row}" for row in "12345" for column in "abcde"]


@dataclass
class Plain:
    """The position as a mapping from squares to letters: r, R, b, B as on the screen."""

    hands: list[set[str]]
    aside: str
    men: dict[str, str] = field(default_factory=dict)
    mover: int = 0

    def __post_init__(self) -> None:
        self.mover = 0 if self.aside in RED_STAMPS else 1
        for column in "abcde":
            self.men[f"{column}1"] = "R" if column == "c" else "r"
            self.men[f"{column}5"] = "B" if column == "c" else "b"

    def own(self, square: str) -> bool:
        return self.men.get(square, "?").lower() == "rb"[self.mover]

    def target(self, square: str, place: int) -> str | None:
        """Where a cross in a picture leads; for blue the picture stands on its head."""
        up, right = 2 - place // 5, place % 5 - 2
        sign = 1 if self.mover == 0 else -1
        found = chr(ord(square[0]) + sign * right) + str(int(square[1]) + sign * up)
        return found if found in SQUARES else None

    def moves(self) -> set[str]:
        found = set()
        for card in self.hands[self.mover]:
            picture = PICTURES[card].replace(" ", "")
            for square in filter(self.own, list(self.men)):
                targets = (self.target(square, i) for i, mark in enumerate(picture) if mark == "x")
                found |= {f"{card} {square}-{t}" for t in targets if t and not self.own(t)}
        return found or {f"give {card}" for card in self.hands[self.mover]}

    def play(self, move: str) -> str | None:
        """Makes a move; tells the winner, if it wins."""
        card, squares = move.split()
        won = None
        if card == "give":
            card = squares
        else:
            start, end = squares.split("-")
            taken, man = self.men.get(end), self.men.pop(start)
            self.men[end] = man
            stream = man == "RB"[self.mover] and end == ("c5", "c1")[self.mover]
            won = ("red", "blue")[self.mover] if stream or taken == "BR"[self.mover] else None
        self.hands[self.mover] = self.hands[self.mover] - {card} | {self.aside}
        self.aside, self.mover = card, 1 - self.mover
        return won


def test_the_pictures() -> None:
    """A man in the middle of each, and as many crosses as counted on the printed ones."""
    pictures = {card: p.replace(" ", "") for card, p in PICTURES.items()}
    assert all(p[12] == "o" and len(p) == 25 for p in pictures.values())
    assert sorted(p.count("x") for p in pictures.values()) == [2] + 10 * [3] + 5 * [4]


def same_play(seed: int, most: int = 2000) -> int:
    """A random play beside the plain program; tells how many moves it had."""
    rng, state, cards = Random(seed), load("onitama").initial_state(), []
    while state.kind == "chance":
        move = rng.choice([m for m, _ in state.chance_outcomes()])
        cards.append(str(move).split()[-1])
        state = state.apply(move)
    plain = Plain([set(cards[:2]), set(cards[2:4])], cards[4])
    for ply in range(most):
        assert state.current_player == plain.mover
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == plain.moves()
        text = rng.choice(sorted(moves))
        state, won = state.apply(moves[text]), plain.play(text)
        assert state.is_terminal == (won is not None)
        if won is not None:
            assert [state.game.players[p] for p in state.winners] == [won]
            return ply + 1
    raise AssertionError("no end")


def test_random_plays() -> None:
    assert all(same_play(seed) > 2 for seed in range(6))


@pytest.mark.slow
def test_many_random_plays() -> None:
    assert all(same_play(seed) > 0 for seed in range(200))


def test_either_wins() -> None:
    assert plays_end("onitama", 12, 2000) == {"red", "blue"}
