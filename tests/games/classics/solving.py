"""What perfect play comes to on small boards, found by looking at every position; independent of how moves are made."""

from __future__ import annotations

from typing import Literal

from gamedsl import State
from tests.values import codes_named


def value(state: State, memo: dict[State, int] | None = None) -> int:
    """1 if the first seat wins with best play of both, 0 for a draw, -1 if the second seat does."""
    memo = {} if memo is None else memo
    if state.is_terminal:
        result = state.returns[0]
        return (result > 0) - (result < 0)
    if state in memo:
        return memo[state]
    sign = 1 if state.current_player == 0 else -1
    best = -1
    for move in state.legal_moves():
        best = max(best, sign * value(state.apply(move), memo))
        if best == 1:
            break
    memo[state] = sign * best
    return memo[state]


def solved(state: State, by: Literal["result", "score"] = "result", limit: int = 200_000) -> int:
    """The same by `gamedsl solve`, which is faster where there are many positions; or by how many points the first seat wins."""
    from gamedsl.lab.solve.solver import solve

    found = solve(state, by=by, limit=limit)
    assert found.complete and found.value is not None
    return int(found.value)


def grundy(state: State, memo: dict[tuple[int, ...], int], *names: str) -> int:
    """The Grundy number of an impartial game in which who can't move loses; ``names``: the variables that make a position."""
    if state.is_terminal:
        return 0
    key = tuple(n for name in names for n in codes_named(state, name))
    if key not in memo:
        found = {grundy(state.apply(m), memo, *names) for m in state.legal_moves()}
        memo[key] = next(n for n in range(len(found) + 1) if n not in found)
    return memo[key]


def positions_by_ply(state: State, plies: int) -> list[int]:
    """How many different positions there are after 0, 1, 2 ... plies."""
    level = {state}
    counts = [1]
    for _ in range(plies):
        level = {s.apply(m) for s in level if not s.is_terminal for m in s.legal_moves()}
        counts.append(len(level))
    return counts


def plays(state: State, memo: dict[State, int]) -> int:
    """How many different plays there are from here to an end."""
    if state.is_terminal:
        return 1
    if state not in memo:
        memo[state] = sum(plays(state.apply(m), memo) for m in state.legal_moves())
    return memo[state]
