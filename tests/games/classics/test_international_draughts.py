"""International draughts by turn (a turn with several jumps is several plies here), equal captures merged."""

from __future__ import annotations

import pytest

from gamedsl import State
from gamedsl.engine.stop import codes_of
from tests.games.classics.native import native_turns
from tests.games.classics.soundness import load, plays_end

BY_TURN = [9, 81, 658, 4265, 27117, 167140, 1049442]


def is_capturing(state: State) -> bool:
    var = next(v for v in state.game.program.variables if v.name == "hopper")
    return codes_of(state, var) != [0]


def ends(state: State) -> set[State]:
    """The positions to which one turn can lead: captures of the same pieces between the same squares are one."""
    found, todo = set(), [state]
    while todo:
        now = todo.pop()
        for move in now.legal_moves():
            then = now.apply(move)
            if is_capturing(then):
                todo.append(then)
            else:
                found.add(then)
    return found


def turns(state: State, depth: int) -> int:
    then = ends(state)
    return len(then) if depth == 1 else sum(turns(s, depth - 1) for s in then)


@pytest.mark.parametrize("depth", range(1, 4))
def test_turns(depth: int) -> None:
    assert turns(load("international-draughts").initial_state(), depth) == BY_TURN[depth - 1]


@pytest.mark.parametrize("depth", [4, 5])
def test_more_turns(depth: int) -> None:
    assert native_turns(load("international-draughts").initial_state(), depth, merged=True) == BY_TURN[depth - 1]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [6, 7])
def test_many_turns(depth: int) -> None:
    assert native_turns(load("international-draughts").initial_state(), depth, merged=True) == BY_TURN[depth - 1]


def test_all_outcomes() -> None:
    assert {"black", "white"} <= plays_end("international-draughts", 10, 4000)
