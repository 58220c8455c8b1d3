"""The explorer against counts that others published, and against the engine by another road."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import numpy as np
import pytest

from gamedsl.engine import InterpretedGame
from gamedsl.engine.perft_counts import perft
from gamedsl.engine.state import State
from gamedsl.lab.claims.outcome_odds import exact_odds
from gamedsl.lab.explore.explorer import Execution, Limits, Progress, explore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.language.rules import load_program


def graph_of(name: str, limits: Limits | None = None, **options: str | int) -> Graph:
    return explore(InterpretedGame(load_program(name, options)), limits)


def plays(graph: Graph) -> Counter[frozenset[int]]:
    """How many plays end with each set of winners: counted over the graph, states in breadth-first order being in the
    order of the plies here."""
    ways = [0] * len(graph)
    ways[0] = 1
    found: Counter[frozenset[int]] = Counter()
    for i in range(len(graph)):
        after = graph.successors(i)
        if not len(after):
            found[graph.state(i).winners] += ways[i]
        for j in after:
            ways[j] += ways[i]
    return found


# Distinct positions, final ones, plays, and chances of random play: known from many sources.
def test_nine_squares() -> None:
    graph = graph_of("tic-tac-toe")
    assert (len(graph), sum(1 for _ in graph.terminals()), graph.stopped) == (5478, 958, "whole")
    x, o, nobody = frozenset({0}), frozenset({1}), frozenset[int]()
    assert plays(graph) == {x: 131_184, o: 77_904, nobody: 46_080}
    assert exact_odds(graph) == {x: Fraction(737, 1260), o: Fraction(121, 420), nobody: Fraction(8, 63)}


def test_final_positions_of_nine_squares() -> None:
    """626 are won by the first player, 316 by the second, 16 are drawn."""
    graph = graph_of("tic-tac-toe")
    assert Counter(graph.returns(i)[0] for i in graph.terminals()) == {1: 626, -1: 316, 0: 16}


@pytest.mark.slow
def test_four_by_four_columns() -> None:
    """Connect four on a board of four by four: 161,029 positions."""
    assert len(graph_of("connect-four", Limits(), rows=4, columns=4)) == 161_029


def test_heaps() -> None:
    """Two heaps of 2 and 3: twelve combinations of heights, each met with either player to move but for four, which take
    one number of moves only: nothing taken, one match of one heap (twice), one of each."""
    assert len(graph_of("nim", a=2, b=3, c=0, d=0)) == 2 * 12 - 4


def walk(state: State, seen: dict[State, int], depth: int) -> None:
    """Depth first, with the least depth of every state."""
    if seen.get(state, depth + 1) <= depth:
        return
    seen[state] = depth
    moves = [m for m, _ in state.chance_outcomes()] or state.legal_moves()
    for move in moves:
        walk(state.apply(move), seen, depth + 1)


SMALL = [
    ("rock-paper-scissors", {}),
    ("x-s-and-lines", {"n": 3}),
    ("kayles", {"pins": 6}),
    ("hex-swap", {"n": 2}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ("clobber", {"rows": 2, "columns": 3}),
    ("domineering", {"rows": 3, "columns": 3}),
]


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_all_states_and_no_others(name: str, options: dict[str, int]) -> None:
    game = InterpretedGame(load_program(name, options))
    graph = explore(game)
    seen: dict[State, int] = {}
    walk(game.initial_state(), seen, 0)
    assert {graph.state(i): graph.depth(i) for i in range(len(graph))} == seen
    for i in range(len(graph)):
        assert len(graph.successors(i)) == graph.state(i).count_moves()


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_shortest_plays_lead_there(name: str, options: dict[str, int]) -> None:
    graph = graph_of(name, **options)
    for i in range(0, len(graph), 1 + len(graph) // 50):
        state = graph.state(0)
        for move in graph.moves(i):
            state = state.apply(move)
        assert state == graph.state(i)
        assert len(graph.moves(i)) == graph.depth(i)


def test_ways_in_the_order_of_the_moves() -> None:
    graph = graph_of("x-s-and-lines", n=2)
    for i in range(len(graph)):
        state = graph.state(i)
        assert [graph.state(int(j)) for j in graph.successors(i)] == [state.apply(m) for m in state.legal_moves()]


def test_chance_has_its_weights() -> None:
    graph = graph_of("pig", Limits(depth=3), target=10)
    assert graph.weight is not None
    for i in range(graph.expanded):
        outcomes = graph.state(i).chance_outcomes()
        weights = graph.weight[graph.first[i] : graph.first[i + 1]]
        if outcomes:
            assert [Fraction(int(w), int(weights.sum())) for w in weights] == [p for _, p in outcomes]
        else:
            assert set(weights) <= {1}


def test_sequences_are_those_of_perft() -> None:
    graph = graph_of("tic-tac-toe")
    ways = np.zeros(len(graph), dtype=np.int64)
    ways[0] = 1
    for depth in range(1, 7):
        after = np.zeros_like(ways)
        np.add.at(after, graph.target, ways[graph.edge_sources()])
        ways = after
        assert ways.sum() == perft(graph.state(0), depth)


# ---------------------------------------------------------------------------------------------------------- limits


def test_a_limit_of_states() -> None:
    graph = graph_of("tic-tac-toe", Limits(states=500))
    assert (len(graph), graph.stopped, graph.whole) == (500, "states", False)
    assert graph.expanded < 500
    whole = graph_of("tic-tac-toe")
    assert all(graph.state(i) == whole.state(i) for i in range(500))


@pytest.mark.parametrize(("depth", "states"), [(0, 1), (1, 10), (2, 82), (3, 334), (8, 5400)])
def test_a_limit_of_depth(depth: int, states: int) -> None:
    graph = graph_of("tic-tac-toe", Limits(depth=depth))
    assert (len(graph), graph.stopped, graph.complete_depth) == (states, "depth", depth)


def test_no_limit_where_all_plays_have_ended() -> None:
    assert graph_of("tic-tac-toe", Limits(depth=9)).whole


def test_limits_of_time_and_memory() -> None:
    assert graph_of("tic-tac-toe", Limits(seconds=0.0)).stopped == "time"
    assert graph_of("tic-tac-toe", Limits(memory=1)).stopped == "memory"


def test_progress_is_told() -> None:
    told: list[Progress] = []
    explore(InterpretedGame(load_program("tic-tac-toe")), execution=Execution(native=False), watch=told.append)
    assert [p.states for p in told] == sorted(p.states for p in told)
    assert len(told) > 5
    assert told[-1].depth >= 8


def test_drawings_are_samples() -> None:
    graph = graph_of("abs-trac-toe", Limits(depth=1, drawings=2))
    assert len(graph) == 3
    assert not graph.whole
    assert graph.state(1) != graph.state(2)
    assert graph.state(0).apply(graph.moves(2)[0]) == graph.state(2)


def test_a_start_of_ones_own() -> None:
    game = InterpretedGame(load_program("tic-tac-toe"))
    state = game.initial_state()
    for text in ("a1", "b2", "c3"):
        state = state.apply(game.parse_move(text, state))
    graph = explore(game, start=state)
    assert graph.whole
    assert graph.state(0) == state
    assert graph.depth(len(graph) - 1) == 6
