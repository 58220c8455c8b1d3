"""The exact search before another one: what it proves is what the solver on the engine finds."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl.agents import Mcts
from gamedsl.agents.auto import Auto
from gamedsl.agents.exact import Bound, ExactSearch, order_of, search_exactly
from gamedsl.agents.leaf_kernel import linear
from gamedsl.agents.leaf_value import leaf_value
from gamedsl.agents.position import Position, compiled
from gamedsl.engine import State
from gamedsl.lab.solve import NO_ORDER, NativeSearch, Order
from gamedsl.lab.solve.depth_search import EngineSearch
from tests.agents.play import after

AMPLE = Bound(1_000_000, 1_000_000)


def positions(name: str, number: int, plies: int) -> list[State]:
    """Positions of random games after so many plies."""
    rng, found, game = Random(1), list[State](), gamedsl.load(name)
    while len(found) < number:
        state = game.initial_state()
        for _ in range(plies):
            if not state.is_terminal:
                state = state.apply(rng.choice(state.legal_moves()))
        if not state.is_terminal and state not in found:
            found.append(state)
    return found


def judged(state: State) -> float:
    """What a state is worth to the first player, by the solver on the engine."""
    engine = EngineSearch("result", 10**7)
    assert engine.solve(state)
    low, high = engine.bounds(state)
    assert low == high
    return float(low)


def solved(state: State, bound: Bound = AMPLE) -> ExactSearch:
    """An exact search with the leaf value, where the rest of the game is short enough."""
    found = search_exactly(Position.of(state), bound, leaf_value(compiled(state.game)))
    assert found is not None
    return found


@pytest.mark.parametrize(("name", "plies"), [("tic-tac-toe", 5), ("misere-tic-tac-toe", 4), ("connect-four", 33)])
def test_what_is_proven_is_true(name: str, plies: int) -> None:
    values = set[float]()
    for state in positions(name, 10, plies):
        exact, worth = solved(state), judged(state)
        values.add(worth)
        assert exact.worth == worth
        loss = -1 if state.current_player == 0 else 1
        assert (exact.action is None) == (worth == loss)
        assert exact.wins == (worth == -loss)
        if exact.action is not None:
            assert judged(state.apply(state.legal_moves()[exact.action])) == worth
            assert exact.findings().pick(1) == exact.action
    assert len(values) > 1


def test_the_order_changes_no_value() -> None:
    rng = np.random.default_rng(1)
    for state in positions("connect-four", 3, 33):
        for order in (NO_ORDER, Order(np.arange(16), rng.integers(-1000, 1000, (16, 256), dtype=np.int32))):
            search = NativeSearch(state, "result", 10**6, None, order)
            assert search.solve(state) and search.bounds(state) == (judged(state), judged(state))


@pytest.mark.parametrize("name", ["connect-four", "breakthrough-6x6", "reversi"])
def test_the_order_is_the_leaf_value_by_bytes(name: str) -> None:
    value = leaf_value(compiled(gamedsl.load(name)))
    assert value is not None
    order = order_of(value)
    for state in positions(name, 5, 9):
        block = Position.of(state).block
        total = sum(int(table[block[place]]) for place, table in zip(order.places, order.weights, strict=True))
        words = np.frombuffer(block, dtype=np.int64).reshape(1, -1)
        assert total + int(value.weights[0]) == linear(value.segments, value.weights, words, 0)


def test_the_same_bound_gives_the_same_proof() -> None:
    (state,) = positions("connect-four", 1, 24)
    one, two = solved(state), solved(state)
    assert (one.worth, one.action, one.search.positions) == (two.worth, two.action, two.search.positions)


def test_a_long_rest_is_not_tried() -> None:
    """The minimal tree of Connect Four has about 7^10 positions."""
    start = Position.of(gamedsl.load("connect-four").initial_state())
    assert search_exactly(start, AMPLE, None) is None


def test_what_loses_is_refuted_though_nothing_is_proven() -> None:
    """x has a1 and b1: all moves of o lose but c1, which draws."""
    state = after(gamedsl.load("tic-tac-toe"), "a1", "b2", "b1")
    search = solved(state)
    search.worth = search.action = None  # as if the bound had been too small
    found = Mcts(50, None).find(Position.of(state), 1)
    names = [str(move) for move in state.legal_moves()]
    rows = tuple(replace(r, exact=False, share=0.1 + r.action if names[r.action] != "c1" else 0.0) for r in found.rows)
    misled = replace(found, rows=rows, exact=False)
    assert names[misled.pick(1)] != "c1" and names[search.best_of(misled, 1).pick(1)] == "c1"


def test_noted_positions_are_not_searched() -> None:
    """In chess a block does not hold the whole state."""
    assert search_exactly(Position.of(gamedsl.load("chess").initial_state()), AMPLE, None) is None


def test_auto_plays_the_proven_move() -> None:
    agent = Auto(0.02)
    for k, state in enumerate(positions("connect-four", 3, 34)):
        if judged(state) != (-1 if state.current_player == 0 else 1):
            assert judged(state.apply(agent.choose(state, k))) == judged(state)


def test_a_clock_allows_as_many_positions_as_these_rules_take_in_its_time() -> None:
    """With a position a second, half a second is enough for none."""
    state = positions("connect-four", 1, 34)[0]
    native, clocked = compiled(state.game), Bound.of(1.0)
    assert search_exactly(Position.of(state), clocked, None) is not None
    vars(native)["exact_rate"] = 1.0
    assert search_exactly(Position.of(state), clocked, None) is None
    assert search_exactly(Position.of(state), Bound.of(1.0, clocked=False), None) is not None


def test_refuting_ends_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    state = positions("connect-four", 1, 16)[0]
    exact = ExactSearch(Position.of(state), Bound(1, 1_000_000, None, 0.0), None)
    found = Mcts(100, None).find(Position.of(state), 1)
    assert exact.best_of(found, 1) == found
    assert exact.search.positions < 10_000  # the clock is asked every 2,000
