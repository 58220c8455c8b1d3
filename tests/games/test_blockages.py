"""Blockages of the game on five by five squares, against an independent reckoning of the geometry and of time."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from gamedsl import State
from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.positions.names import find_variable
from gamedsl.engine.stop import codes_of, evaluate_at
from gamedsl.lab.examples.checks import value_of
from gamedsl.language.rules import Lowered, load_lowered

NAME = "t-tic-t-tac-toe-game"
Square = tuple[int, int]
Side = frozenset[Square]


@cache
def rules(edition: str) -> tuple[Lowered, Game]:
    lowered = load_lowered(NAME, {"edition": edition})
    return lowered, InterpretedGame(lowered.program)


def sides() -> list[Side]:
    """The forty inner sides of the board."""
    squares = [(r, c) for r in range(1, 6) for c in range(1, 6)]
    return [
        frozenset({(r, c), (r + dr, c + dc)})
        for r, c in squares
        for dr, dc in ((0, 1), (1, 0))
        if (r + dr, c + dc) in squares
    ]


def connected(a: Square, b: Square, blocked: set[Side]) -> bool:
    """Whether a step is free: for a diagonal one, walk round the grid point both ways from square to square."""
    if frozenset({a, b}) in blocked:
        return False
    if a[0] == b[0] or a[1] == b[1]:
        return True
    corners = [(a[0], b[1]), (b[0], a[1])]
    return any(frozenset({a, c}) not in blocked and frozenset({c, b}) not in blocked for c in corners)


def name(square: Square) -> str:
    return f"{'abcde'[square[1] - 1]}{square[0]}"


def with_blocked(blocked: set[Side]) -> State:
    """The start of a game in which some sides are blocked."""
    lowered, game = rules("v2")
    state = game.initial_state()
    on = find_variable(game, "on", 0)
    bits = 0
    for side in blocked:
        a, b = sorted(side)
        edge = lowered.expression(f"edge_between({name(a)}, {name(b)})")
        bits |= 1 << (evaluate_at(state, edge) - 1)
    slots = codes_of(state, on)
    slots[0] = bits
    return state.with_values({(on.name, 0): slots})


@pytest.mark.parametrize("seed", range(12))
def test_steps_past_and_through_blockages(seed: int) -> None:
    rng = Random(seed)
    blocked = {s for s in sides() if rng.random() < rng.choice((0.1, 0.4, 0.7))}
    state, (lowered, _) = with_blocked(blocked), rules("v2")
    for r in range(1, 6):
        for c in range(1, 6):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                a, b = (r, c), (r + dr, c + dc)
                if 1 <= b[0] <= 5 and 1 <= b[1] <= 5:
                    expected = connected(a, b, blocked)
                    assert value_of(state, lowered, f"linked({name(a)}, {name(b)})") is expected, (a, b)


def play(edition: str, moves: list[str]) -> State:
    state = rules(edition)[1].initial_state()
    for text in moves:
        state = state.apply(state.game.parse_move(text, state))
    return state


# Quiet squares: no three of them are neighbours in a line, so nobody ever makes three in a row on them.
QUIET = ["a1", "b1", "e1", "c2", "d2", "a3", "b3", "e3", "c4", "d4", "a5", "b5", "e5"]


@pytest.mark.parametrize("placed", [2, 3, 4, 5])
def test_a_blockage_is_safe_for_exactly_four_plies(placed: int) -> None:
    moves = [*QUIET[: placed - 1], "curtain h3", *QUIET[placed - 1 :]]
    owner = "X" if placed % 2 else "O"
    for ply in range(placed + 1, placed + 7):
        state = play("v2", moves[: ply - 1])
        allowed = not state.why_not(state.game.parse_move(f"snip {owner}", state))
        assert allowed is (ply >= placed + 5), ply


@pytest.mark.parametrize("charlie", [2, 3, 4, 5, 6])
def test_a_charlie_adds_four_plies(charlie: int) -> None:
    """Of the wall of version 1.0, whose own safety ends with ply 4: safe through ply max(4, s) + 4."""
    moves = [*QUIET[: charlie - 1], "charlie first_wall", *QUIET[charlie - 1 :]]
    last_safe = max(4, charlie) + 4
    for ply in range(charlie + 1, last_safe + 3):
        state = play("v1", moves[: ply - 1])
        allowed = not state.why_not(state.game.parse_move("tear down first_wall", state))
        assert allowed is (ply > last_safe), ply
        standing = value_of(state, rules("v1")[0], "first_wall.charlie > 0")
        assert standing is (ply <= charlie + 4), ply


def test_two_blockages_on_one_side() -> None:
    """A side stays blocked until the last blockage on it has gone."""
    state = play("v1", ["a1", "curtain h2", "wall h2.2"])
    lowered, game = rules("v1")
    free = {("blockage.safe", 0): [0] * 5}
    assert value_of(state, lowered, "linked(c2, c3)") is False
    for text, expected in (("snip O", False), ("tear down wall[X]", False), ("tear down first_wall", True)):
        state = state.with_values(free)
        state = state.apply(game.parse_move(text, state))
        assert value_of(state, lowered, "linked(c2, c3)") is expected, text
