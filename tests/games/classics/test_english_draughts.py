"""English draughts by turn (a turn with several jumps is several plies here) against OEIS A133046."""

from __future__ import annotations

import json

import pytest

from gamedsl import State
from gamedsl.cli.main import main
from gamedsl.engine.stop import codes_of
from tests.games.classics.native import native_turns
from tests.games.classics.soundness import load, plays_end

BY_TURN = [7, 49, 302, 1469, 7361, 36768, 179740, 845931]


def is_jumping(state: State) -> bool:
    var = next(v for v in state.game.program.variables if v.name == "hopper")
    return codes_of(state, var) != [0]


def turns(state: State, depth: int) -> int:
    """How many sequences of so many whole turns there are: the jumps of a turn count as one."""
    total = 0
    for move in state.legal_moves():
        if depth == 1 and move.name == "step":
            total += 1
            continue
        then = state.apply(move)
        left = depth if is_jumping(then) else depth - 1
        total += turns(then, left) if left else 1
    return total


@pytest.mark.parametrize("depth", range(1, 5))
def test_turns(depth: int) -> None:
    assert turns(load("english-draughts").initial_state(), depth) == BY_TURN[depth - 1]


@pytest.mark.parametrize("depth", [5, 6])
def test_more_turns(depth: int) -> None:
    assert native_turns(load("english-draughts").initial_state(), depth) == BY_TURN[depth - 1]


@pytest.mark.parametrize("backend", ["native", "interpreter"])
def test_the_command_counts_turns(backend: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The published counts are by turns. By plies there are fewer sequences as soon as somebody can jump twice."""
    for depth in range(1, 5):
        words = ["perft", "english-draughts", "--depth", str(depth), "--turns", "--backend", backend]
        assert main(words) == 0
        assert capsys.readouterr().out == f"{BY_TURN[depth - 1]}\n"
        assert main([*words, "--divide", "--format", "json"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert sum(found["divide"].values()) == found["count"] == BY_TURN[depth - 1]


@pytest.mark.slow
def test_the_command_counts_many_turns(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "english-draughts", "--depth", "7", "--turns"]) == 0
    assert capsys.readouterr().out == "179740\n"


def test_a_capture_of_several_jumps_is_one_turn(capsys: pytest.CaptureFixture[str]) -> None:
    rows = [". . . . . . . ."] * 8
    rows[2], rows[4], rows[5] = ". . . . w . . .", ". . w . . . . .", ". b . . . . . ."
    board = json.dumps({"to_move": "black", "board": rows})
    assert main(["perft", "english-draughts", "--depth", "1", "--turns", "--divide", "--position", board]) == 0
    assert capsys.readouterr().out == "b3xd5, d5xf7: 1\n1\n"


@pytest.mark.slow
@pytest.mark.parametrize("depth", [7, 8])
def test_many_turns(depth: int) -> None:
    assert native_turns(load("english-draughts").initial_state(), depth) == BY_TURN[depth - 1]


def test_all_outcomes() -> None:
    assert plays_end("english-draughts", 20, 2000) == {"black", "white", "nobody"}
