"""Backgammon against a second, plain implementation of what a turn can lead to."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from gamedsl import State
from gamedsl.engine.stop import codes_of
from tests.games.classics.soundness import load, plays_end

Side = tuple[int, ...]  # checkers at 0 (off), 1 ... 24, 25 (bar), counted along the own way
Board = tuple[Side, Side]  # of the player to move, and of the rival


def slots(state: State, name: str) -> list[int]:
    return codes_of(state, next(v for v in state.game.program.variables if v.name == name))


def side(state: State, p: int) -> Side:
    here, above = slots(state, "checker")[p], slots(state, "checker above")[24 * p : 24 * p + 24]
    points = [(here >> c & 1) + above[c] for c in range(24)]
    way = points if p == 0 else points[::-1]
    return (slots(state, "taken")[p], *way, slots(state, "bar")[p])


def uses(board: Board, die: int) -> set[Board]:
    """Where one die can lead."""
    mine, theirs = board
    found = set()
    for at in [25] if mine[25] else range(1, 25):
        to = max(at - die, 0)
        if not mine[at] or (to and theirs[25 - to] > 1):
            continue
        if to == 0 and (any(mine[7:]) or (at < die and any(mine[at + 1 :]))):
            continue
        new, other = list(mine), list(theirs)
        new[at] -= 1
        new[to] += 1
        if to and other[25 - to]:
            other[25 - to] = 0
            other[25] += 1
        found.add((tuple(new), tuple(other)))
    return found


@cache
def longest(board: Board, dice: tuple[int, ...]) -> tuple[int, frozenset[tuple[Board, tuple[int, ...]]]]:
    """How many of the dice can be used at most, one after the other, and the ends with the dice used."""
    most = 0
    ends: set[tuple[Board, tuple[int, ...]]] = {(board, ())}
    for i, die in enumerate(dice):
        for then in uses(board, die) if i == 0 or die != dice[i - 1] else ():
            n, last = longest(then, dice[:i] + dice[i + 1 :])
            if n + 1 > most:
                most, ends = n + 1, set()
            if n + 1 == most:
                ends |= {(end, (die, *used)) for end, used in last}
    return most, frozenset(ends)


def expected(board: Board, dice: tuple[int, ...]) -> set[Board]:
    most, ends = longest(board, dice)
    highest = max((used[0] for _, used in ends if most == 1), default=0)
    return {end for end, used in ends if most != 1 or used[0] == highest}


def ends_of_turn(state: State, p: int) -> dict[Board, State]:
    """The boards at the end of the turn that p has begun."""
    found, seen, todo = {}, {hash(state)}, [state]
    while todo:
        now = todo.pop()
        for move in now.legal_moves():
            then = now.apply(move)
            if then.kind == "player":
                if hash(then) not in seen:
                    seen.add(hash(then))
                    todo.append(then)
            else:
                found[side(then, p), side(then, 1 - p)] = then
    return found


def reached(state: State, p: int) -> set[Board]:
    return set(ends_of_turn(state, p))


def follow(seed: int, turns: int) -> None:
    """A random play; at the first decision of every turn both implementations must lead to the same boards."""
    rng, state, begun, seen = Random(seed), load("backgammon").initial_state(), True, 0
    while not state.is_terminal and seen < turns:
        if state.kind == "chance":
            begun = True
        elif begun:
            begun, p = False, state.current_player
            dice = tuple(n for n, k in zip(range(1, 7), slots(state, "dice"), strict=True) for _ in range(k))
            if len(dice) == 2 or seen % 5 == 0:  # a turn of four moves has many ways: not all of them
                assert reached(state, p) == expected((side(state, p), side(state, 1 - p)), dice), str(state)
            seen += 1
        state = state.apply(state.propose(rng))


def blocked(seed: int) -> State:
    """White with a few checkers before many points that black holds, about to throw."""
    rng, start = Random(seed), load("backgammon").initial_state()
    held = rng.sample(range(24), 7)
    few = rng.sample([c for c in range(24) if c not in held], rng.randint(1, 3))
    sets = [sum(1 << c for c in few), sum(1 << c for c in held)]
    above = [0] * 24 + [int(c in held) for c in range(24)]
    bar = int(rng.random() < 0.3)
    rest = {"bar": [bar, 0], "taken": [15 - len(few) - bar, 1]}
    values = {"checker": sets, "checker above": above, **rest}
    return start.with_values({(name, 0): slots for name, slots in values.items()})


def test_blocked() -> None:
    """Where few moves are left, both dice must be used if they can, else the higher, at random boards and throws."""
    for seed in range(300):
        rng, start = Random(seed), blocked(seed)
        a, b = sorted(rng.sample(range(1, 7), 2))
        state = start
        for n in (b, a):
            state = state.apply(state.game.parse_move(f"roll {n}", state))
        board = side(state, 0), side(state, 1)
        assert reached(state, 0) == expected(board, (a, b)), f"seed {seed}"


def test_start() -> None:
    """The boards that the first throws can lead to, two different dice each."""
    start = load("backgammon").initial_state()
    for first in start.legal_moves():
        for second in start.apply(first).legal_moves():
            state = start.apply(first).apply(second)
            if state.kind != "player":
                continue
            p = state.current_player
            dice = tuple(sorted(int(str(m).split()[1]) for m in (first, second)))
            assert reached(state, p) == expected((side(state, p), side(state, 1 - p)), dice)


@pytest.mark.parametrize("seed", range(3))
def test_against_plain_rules(seed: int) -> None:
    follow(seed, 120)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3, 30))
def test_more_against_plain_rules(seed: int) -> None:
    follow(seed, 1000)


def test_all_outcomes() -> None:
    assert plays_end("backgammon", 4, 20000) == {"white", "black"}


def test_gammons() -> None:
    plays_end("backgammon", 2, 20000, gammons=True)
