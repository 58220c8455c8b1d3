"""Dark chess: the moves, the results and what each seat sees, ply by ply against OpenSpiel's dark_chess."""

from __future__ import annotations

from importlib import import_module
from random import Random
from typing import Any

import pytest

from gamedsl import State
from tests.games.classics.peers import chess_move
from tests.games.classics.soundness import after, load

NAME = "dark-chess"
KINDS = {"pawn": "p", "knight": "n", "bishop": "b", "rook": "r", "queen": "q", "king": "k"}
WHITE = 1  # the peer's number of the player who begins


@pytest.fixture(scope="module")
def peer() -> Any:
    """OpenSpiel's game."""
    return pytest.importorskip("pyspiel", reason="OpenSpiel is not installed (extra `peers`)").load_game("dark_chess")


def squares(picture: str) -> dict[int, str]:
    """What stands on the squares of a picture that are seen ("" for nothing), by their numbers from a1."""
    found = {}
    for down, row in enumerate(picture.split()[0].split("/")):
        column = 0
        for sign in row:
            for _ in range(int(sign) if sign.isdigit() else 1):
                if sign != "?":
                    found[(7 - down) * 8 + column] = "" if sign.isdigit() else sign
                column += 1
    return found


def view(state: State, seat: int) -> dict[int, str]:
    """The same from the observation of a seat."""
    seen = state.observation(seat)["variables"]
    found = {c: "" for c in range(64) if seen["sight"][seat] >> c & 1}
    for name, sign in KINDS.items():
        for men, owner in ((seen[name][seat], seat), (seen[f"{name}s_seen"][seat], 1 - seat)):
            for c in found:
                if men >> c & 1:
                    found[c] = sign.upper() if owner == 0 else sign
    return found


def same_view(state: State, picture: str, seat: int) -> None:
    """Both see the same. (There, whoever has just advanced a pawn two squares also sees the empty squares that it
    left behind, as if an own pawn beside it could take it in passing.)"""
    ours, theirs = view(state, seat), squares(picture)
    behind = picture.split()[3]
    if state.current_player != seat and behind != "-":
        middle = (int(behind[1]) - 1) * 8 + ord(behind[0]) - ord("a")
        for square in {middle, middle + (-8 if seat == 0 else 8)} - ours.keys():
            assert theirs.pop(square, "") == ""
    assert ours == theirs


def text_there(peer: Any, action: int) -> str:
    """The text of an action, read on the board of chess with the same position."""
    pyspiel = import_module("pyspiel")
    board = pyspiel.load_game("chess").new_initial_state(str(peer)).board()
    move = pyspiel.chess.action_to_move(action, board)
    text = str(move.to_lan())
    return ("O-O" if text[2] in "gh" else "O-O-O") if move.is_castling() else text


def same_play(peer: Any, seed: int, most: int = 400) -> int:
    """A random play in both, until one of the two calls a draw; returns its plies."""
    rng, state, other = Random(seed), load(NAME).initial_state(), peer.new_initial_state()
    for ply in range(most):
        if other.is_terminal() or state.is_terminal:
            white = other.returns()[WHITE] if other.is_terminal() else 0
            assert [float(r) for r in state.returns] == [white, -white]
            return ply
        assert other.current_player() == (WHITE if state.current_player == 0 else 1 - WHITE)
        for seat in (0, 1):
            same_view(state, other.observation_string(WHITE if seat == 0 else 1 - WHITE), seat)
        there = {text_there(other, a): a for a in other.legal_actions()}
        here = {chess_move(str(m)): m for m in state.legal_moves()}
        assert here.keys() == there.keys(), str(other)
        text = rng.choice(sorted(here))
        state = state.apply(here[text])
        other.apply_action(there[text])
    return most


def test_against_open_spiel(peer: Any) -> None:
    assert same_play(peer, 0, 30) + same_play(peer, 1, 30) > 20


@pytest.mark.slow
def test_many_plays_against_open_spiel(peer: Any) -> None:
    assert sum(same_play(peer, seed) for seed in range(200)) > 5000


def test_at_the_start_half_the_board_is_dark() -> None:
    seen = after(NAME).observation(1)["variables"]
    assert seen["sight"] == [None, 0xFFFF_FFFF_0000_0000]
    assert seen["pawn"][0] is None
