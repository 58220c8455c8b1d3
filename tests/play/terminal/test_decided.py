"""What decided a game is marked on its last board, and it holds by itself: nothing that is not marked is needed."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

import pytest

import gamedsl
from gamedsl.engine import PartEnd, State, evaluate_at
from gamedsl.engine.picture import Spot, place_names, view
from gamedsl.language.core import deciding_conditions, variables_read
from gamedsl.language.core.nodes import Program, SetT
from gamedsl.language.rules.files import shipped
from tests.shipped_sample import sampled

MOST_PLIES = 400
MARKED = {  # random games of these end by something on the board
    "tic-tac-toe", "connect-four", "t-tic-t-tac-toe", "t-tic-t-tac-toe-game", "atreso", "gomoku", "m-n-k", "pentago", "yavalath",
    "hex", "havannah", "y", "sim", "twixt", "breakthrough", "brandub", "quoridor", "einstein-wuerfelt-nicht", "dark-hex",
    "ultimate-tic-tac-toe", "snakes-and-ladders", "phantom-tic-tac-toe",
}  # fmt: skip


def play(name: str, seed: int) -> Iterator[State]:
    """The states of a random game."""
    state, rng = gamedsl.load(name).initial_state(), Random(seed)
    for _ in range(MOST_PLIES):
        if state.is_terminal:
            return
        state = state.apply(state.propose(rng))
        yield state


def marked(state: State) -> set[tuple[str, int]]:
    return {place for place, spot in view(state, is_open=True).spots.items() if spot.decides}


def without(last: State, places: set[tuple[str, int]], kept: set[tuple[str, int]], program: Program) -> Iterator[State]:
    """The last position without one thing that stands on places that are not marked, and without all of them."""
    bare = list(last.slots)
    read = frozenset[int]().union(*(variables_read(program, c) for c in deciding_conditions(program, last.block)))
    for var in program.variables:
        if var.index not in read or var.role not in ("piece", "state") or not isinstance(var.type, SetT):
            continue
        first = last.game.code.offsets[var.index]
        for slot in range(first, first + var.slots):
            for place in (p for p in places - kept if p[0] == var.type.domain.name):
                value = last.slots[slot]
                assert isinstance(value, int)
                if value >> place[1] & 1:
                    one = list(last.slots)
                    one[slot] = value & ~(1 << place[1])
                    bare[slot] &= ~(1 << place[1])  # type: ignore[operator]
                    yield last.game.make_state(last.block, tuple(one))
    yield last.game.make_state(last.block, tuple(bare))


def holds_by_itself(end: PartEnd, kept: set[tuple[str, int]]) -> None:
    program = end.last.game.program
    domains = place_names(program.parts[end.part])
    places = {(name, i) for name, domain in domains.items() for i in range(domain.size)}
    conditions = [c for c in deciding_conditions(program, end.last.block) if evaluate_at(end.last, c)]
    for state in without(end.last, places, kept, program):
        assert any(evaluate_at(state, c) for c in conditions)


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "test_what_is_marked_decides_by_itself"))
def test_what_is_marked_decides_by_itself(name: str) -> None:
    decide_by_themselves(name, 3 if name in MARKED else 1)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_what_is_marked_decides_by_itself_in_many_games(name: str) -> None:
    assert decide_by_themselves(name, 20) or name not in MARKED


def decide_by_themselves(name: str, seeds: int) -> int:
    """Plays random games; returns how many ends had something marked."""
    found = 0
    for seed in range(seeds):
        for state in play(name, seed):
            for end in state.ended[:1]:
                places = marked(state)
                found += bool(places)
                if places:
                    holds_by_itself(end, places)
    return found


def cells(name: str, seed: int) -> tuple[State, list[str], dict[str, Spot]]:
    """The end of a random game, the names of the cells that decided it, and what stands on them."""
    *_, end = play(name, seed)
    board = end.game.program.parts[0].board
    assert board is not None
    spots = {board.domains[d].names[i]: spot for (d, i), spot in view(end).spots.items() if spot.decides}
    return end, sorted(spots), spots


def test_three_in_a_row() -> None:
    """By hand: X holds the middle row; the line runs through it."""
    end, names, _ = cells("tic-tac-toe", 1)
    assert names == ["a2", "b2", "c2"] and end.outcome_text == "X wins"
    [line] = view(end).trails
    assert len(line.cells) == 3


@pytest.mark.parametrize("seed", range(10))
def test_a_chain_joins_two_sides(seed: int) -> None:
    """An unbroken chain of the winner's stones: each next to the one before, from one of the winner's sides to the other."""
    end, names, spots = cells("hex", seed)
    [line] = view(end).trails
    board = end.game.program.parts[0].board
    assert board is not None and len(line.cells) == len(names)
    at = [board.position("cell", i) for i in line.cells]
    assert all(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) <= 1.25 for a, b in pairwise(at))
    rows = {int(n[1:]) for n in names} if "red" in end.outcome_text else {ord(n[0]) - 96 for n in names}
    assert {1, 11} <= rows
    assert {g.text for s in spots.values() for g in s.glyphs} == ({"x"} if "red" in end.outcome_text else {"o"})


@pytest.mark.parametrize("seed", range(5))
def test_three_lines_make_a_triangle(seed: int) -> None:
    """The three lines of a triangle have three ends together, and belong to the loser."""
    end, _, _ = cells("sim", seed)
    board = end.game.program.parts[0].board
    assert board is not None
    lines = [i for (d, i), spot in view(end).spots.items() if spot.decides and d == "edge"]
    assert len(lines) == 3 and len(set("".join(board.domains["edge"].names[i] for i in lines)) - {"/"}) == 3
