"""Chess against the usual positions and their known numbers of sequences."""

from __future__ import annotations

import pytest

from gamedsl import State
from gamedsl.engine.perft_counts import perft
from tests.games.classics.native import native_perft
from tests.games.classics.soundness import after, load

KINDS = {"p": "pawn", "n": "knight", "b": "bishop", "r": "rook", "q": "queen", "k": "king"}

# Positions of the Chess Programming Wiki, page "Perft Results"; white is to move in all of them.
POSITIONS = {
    "start": ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR KQkq", [20, 400, 8902, 197281, 4865609]),
    "kiwipete": ("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R KQkq", [48, 2039, 97862, 4085603]),
    "position 3": ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 -", [14, 191, 2812, 43238, 674624]),
    "position 4": ("r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 kq", [6, 264, 9467, 422333]),
    "position 5": ("rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R KQ", [44, 1486, 62379, 2103487]),
    "position 6": ("r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 -", [46, 2079, 89890, 3894594]),
}
QUICK = 10_000
CASES = [(name, depth + 1) for name, (_, found) in POSITIONS.items() for depth in range(len(found))]


def pieces(board: str) -> dict[str, list[int]]:
    """The pieces' variables for the first field of a FEN."""
    slots: dict[str, list[int]] = {kind: [0, 0] for kind in KINDS.values()}
    for row, line in zip(range(7, -1, -1), board.split("/"), strict=True):
        column = 0
        for letter in line:
            if letter.isdigit():
                column += int(letter)
            else:
                slots[KINDS[letter.lower()]][letter.islower()] |= 1 << 8 * row + column
                column += 1
    return slots


def position(text: str) -> State:
    """White to move in a position as in the first and third field of FEN."""
    board, rights = text.split()
    castling = [("Q" in rights) | ("K" in rights) << 1, ("q" in rights) | ("k" in rights) << 1]
    values = pieces(board) | {"castling": castling}
    return load("chess").initial_state().with_values({(name, 0): slots for name, slots in values.items()})


@pytest.mark.parametrize("name, depth", [c for c in CASES if POSITIONS[c[0]][1][c[1] - 1] <= QUICK])
def test_sequences(name: str, depth: int) -> None:
    text, found = POSITIONS[name]
    assert perft(position(text), depth) == found[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("name, depth", [c for c in CASES if POSITIONS[c[0]][1][c[1] - 1] > QUICK])
def test_many_sequences(name: str, depth: int) -> None:
    text, found = POSITIONS[name]
    assert native_perft(position(text), depth) == found[depth - 1]


def test_the_rights_of_castling_belong_to_the_position() -> None:
    """Knights out and back twice make the third time; a rook's going out and back makes another position."""
    dance = ["g1f3", "g8f6", "f3g1", "f6g8"]
    assert after("chess", *dance, *dance).is_terminal
    rook = ["h2h4", "h7h5", "h1h2", "h8h7", "h2h1", "h7h8"]
    assert not after("chess", *rook, *dance).is_terminal
    assert after("chess", *rook, *dance, *dance).is_terminal
