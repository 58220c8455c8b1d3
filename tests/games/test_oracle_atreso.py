"""The ruleset of Atreso against the oracle, decision by decision, with whole and with thinned-out armies."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl import State
from gamedsl.engine.positions.names import find_variable

from . import oracle_atreso as oracle

MOST_PLIES = 3000


def set_up(rng: Random, corners: bool) -> tuple[State, oracle.Fight]:
    """A random set-up, white played by one."""
    state = gamedsl.load("atreso", adjacency="any" if corners else "side").initial_state()
    white = rng.sample([s for s in oracle.SQUARES if s[0] <= 3], 5)
    black = rng.sample([s for s in oracle.SQUARES if s[0] >= 8], 5)
    for text in ("roll 6", "roll 1", *map(oracle.name, white + black)):
        state = state.apply(state.game.parse_move(text, state))
    return state, oracle.Fight(oracle.full_board(white, black), corners)


def compare(state: State, fight: oracle.Fight, rng: Random) -> None:
    """Both go on at random, move by move, to the end."""
    for _ in range(MOST_PLIES):
        if state.is_terminal:
            break
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == fight.options()
        text = rng.choice(sorted(moves))
        state = state.apply(moves[text])
        fight.play(text)
    assert state.is_terminal and fight.stage == "over"
    expected = {"white": {"one"}, "black": {"two"}, None: set()}[fight.winner]
    assert {state.game.players[p] for p in state.winners} == expected


@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("seed", range(2))
def test_whole_armies(seed: int, corners: bool) -> None:
    rng = Random(seed)
    compare(*set_up(rng, corners), rng)


@pytest.mark.slow
@pytest.mark.parametrize("corners", [False, True])
@pytest.mark.parametrize("seed", range(2, 20))
def test_more_whole_armies(seed: int, corners: bool) -> None:
    rng = Random(seed)
    compare(*set_up(rng, corners), rng)


# ---------------------------------------------------------------------------------------------------- thinned out


def thinned(rng: Random) -> oracle.Board:
    """A scattered position: groups, stones, many grey stones, no chip on its last row yet."""
    board: oracle.Board = {}
    squares = rng.sample(oracle.SQUARES, rng.randint(12, 70))
    counts = {("white", "stone"): 5, ("black", "stone"): 5, ("grey", "grey"): 10}
    for s in squares:
        colour, kind = rng.choice([("white", "chip"), ("black", "chip"), *counts])
        if (colour, kind) in counts:
            counts[colour, kind] -= 1
            if counts[colour, kind] < 0:
                continue
        elif s[0] == (10 if colour == "white" else 1):
            continue
        board[s] = (colour, kind, rng.choice((1, 1, 1, 2, 3)) if kind == "chip" else 1)
    for s in [s for s, p in board.items() if p == oracle.GREY]:
        if oracle.Fight(dict(board), False).shut_in(s):
            del board[s]
    return board


def with_board(state: State, board: oracle.Board) -> State:
    game, part = state.game, state.part
    cells = find_variable(game, "grey", part).type.domain.names  # type: ignore[union-attr]
    where = {s: cells.index(oracle.name(s)) for s in board}

    def standing(colour: str, kind: str) -> int:
        return sum(1 << where[s] for s, p in board.items() if p[:2] == (colour, kind))

    above = [0] * (2 * len(cells))
    for s, (colour, kind, height) in board.items():
        if kind == "chip":
            above[("white", "black").index(colour) * len(cells) + where[s]] = height - 1
    changes: dict[tuple[str, int], list[Any]] = {
        ("chip", part): [standing("white", "chip"), standing("black", "chip")],
        ("chip above", part): above,
        ("stone", part): [standing("white", "stone"), standing("black", "stone")],
        ("grey", part): [standing("grey", "grey")],
    }
    return state.with_values(changes)


def compare_thinned(seed: int) -> None:
    """For a while only: a play from here notes positions of its own, so the third repetition is left to whole plays."""
    rng = Random(seed)
    state, _ = set_up(rng, corners=False)
    while True:
        board = thinned(rng)
        fight = oracle.Fight(dict(board))
        if fight.stage == "move":
            break
    fight.seen.clear()
    state = with_board(state, board)
    for _ in range(60):
        if state.is_terminal:
            break
        moves = {str(m): m for m in state.legal_moves()}
        assert set(moves) == fight.options()
        captures = [t for t in sorted(moves) if fight.stage == "move" and fight.moves()[t][1] in fight.board]
        text = rng.choice(captures or sorted(moves))
        state = state.apply(moves[text])
        fight.play(text)
    assert state.is_terminal == (fight.stage == "over")
    if state.is_terminal:
        expected = {"white": {"one"}, "black": {"two"}, None: set()}[fight.winner]
        assert {state.game.players[p] for p in state.winners} == expected


@pytest.mark.parametrize("seed", range(25))
def test_thinned_armies(seed: int) -> None:
    compare_thinned(seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(25, 400))
def test_more_thinned_armies(seed: int) -> None:
    compare_thinned(seed)
