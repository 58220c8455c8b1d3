"""MacMahon dominoes against a program of its own: squares as words of four letters that are turned as words."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product
from random import Random

import pytest

from tests.games.classics.soundness import CLASSICS, load, plays_end

Place = tuple[int, int]  # column and row, from 1
AROUND = ((0, 1), (1, 0), (0, -1), (-1, 0))  # north, east, south, west


def turned(word: str, quarters: int) -> str:
    """Clockwise: what was in the north comes to the east."""
    return word[-quarters:] + word[:-quarters] if quarters else word


@dataclass
class Plain:
    """The position: words by place, as they lie; hands; points."""

    size: int
    hands: list[set[str]]
    laid: dict[Place, str] = field(default_factory=dict)
    points: list[int] = field(default_factory=list)
    passes: int = 0

    def __post_init__(self) -> None:
        self.points = [0] * len(self.hands)

    def touched(self, place: Place) -> list[tuple[int, str]]:
        """On which sides a place touches squares, with the colour that these have there."""
        x, y = place
        beside = ((side, (x + dx, y + dy)) for side, (dx, dy) in enumerate(AROUND))
        return [(side, self.laid[other][(side + 2) % 4]) for side, other in beside if other in self.laid]

    def moves(self, mover: int) -> set[str]:
        sides = range(1, self.size + 1)
        places = [p for p in product(sides, sides) if p not in self.laid and self.touched(p)]
        found = set()
        for word, quarters, (x, y) in product(self.hands[mover], range(4), places):
            if all(turned(word, quarters)[side] == colour for side, colour in self.touched((x, y))):
                found.add(f"{word} turned {quarters} on {'abcdefghi'[x - 1]}{y}")
        return found or {"pass"}

    def play(self, mover: int, move: str) -> bool:
        """Makes a move; tells whether the game is over."""
        if move == "pass":
            self.passes += 1
        else:
            word, quarters, cell = re.split(" turned | on ", move)
            place = ("abcdefghi".index(cell[0]) + 1, int(cell[1]))
            self.points[mover] += len(self.touched(place))
            self.laid[place] = turned(word, int(quarters))
            self.hands[mover].remove(word)
            self.passes = 0
        return self.passes == len(self.hands) or not any(self.hands)


def test_the_squares() -> None:
    """All ways to colour four sides are there, each once up to turns, and the table spells their names."""
    text = (CLASSICS / "macmahon-dominoes.gdl").read_text(encoding="utf-8")
    rows = dict(re.findall(r"^  ([rgb]{4}): +(.*)$", text, re.MULTILINE))
    assert all("".join(colour[0] for colour in row.replace(" ", "").split(",")) == name for name, row in rows.items())
    assert len(rows) == 24
    assert {turned(name, k) for name in rows for k in range(4)} == {"".join(w) for w in product("rgb", repeat=4)}


def same_play(seed: int, players: int, size: int) -> int:
    """A random play beside the plain program; tells how many squares were laid."""
    rng, state = Random(seed), load("macmahon-dominoes", players=players, size=size).initial_state()
    drawn = []
    while state.kind == "chance":
        move = rng.choice([m for m, _ in state.chance_outcomes()])
        drawn.append(str(move).split()[-1])
        state = state.apply(move)
    plain = Plain(size, [set(drawn[5 * p : 5 * p + 5]) for p in range(players)])
    plain.laid[((size + 1) // 2,) * 2] = drawn[-1]
    over, mover = False, 0
    while not over:
        assert state.current_player == mover
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == plain.moves(mover)
        text = rng.choice(sorted(moves))
        over, state, mover = plain.play(mover, text), state.apply(moves[text]), (mover + 1) % players
    assert state.is_terminal
    best = {p for p, n in enumerate(plain.points) if n == max(plain.points)}
    assert set(state.winners) == (best if len(best) < players else set())
    return len(plain.laid)


def test_random_plays() -> None:
    assert all(same_play(seed, players, size) > 1 for players, size in [(2, 7), (3, 5), (4, 3)] for seed in range(3))


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_random_plays(players: int) -> None:
    assert all(same_play(seed, players, 7) > 1 for seed in range(70))


def test_plays_end() -> None:
    assert {"p1", "p2"} <= plays_end("macmahon-dominoes", 20, 60)
