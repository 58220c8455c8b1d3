"""Exact values against published ones, hand-worked ones, and a slow solver that knows nothing of ours."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from fractions import Fraction
from itertools import combinations_with_replacement
from pathlib import Path
from random import Random
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gamedsl
from gamedsl.cli.main import main
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.solve.depth_compiled import NativeSearch
from gamedsl.lab.solve.depth_search import EngineSearch
from gamedsl.lab.solve.game_graph import CHANCE, CHOICE, END, PlayGraph, Utilities
from gamedsl.lab.solve.matrix_games import matrix_value
from gamedsl.lab.solve.retrograde import distances, values
from gamedsl.lab.solve.retrograde_large import Large
from gamedsl.lab.solve.solver import Solved, solve
from gamedsl.lab.symmetry.compiled_symmetry import symmetry_steps
from gamedsl.language.source.diagnostic import ExitCode

RUIN = """game "Ruin"

players you, bank

option goal: 2..9 = 4

state
  purse: 0..goal = 1

move toss written "toss"
  roll d2 -> coin
  if coin = 1
    add 1 to purse
  else
    take 1 from purse

play
  turns from you
    you plays toss
    if purse = 0
      win bank
    if purse = goal
      win you
"""

CHASE = """game "Chase"

players hare, hound

board grid 2 by 2 named by letters

state
  at: player -> cell = a1

move step(c: cell) written "{c}"
  when c in neighbors(at[me]) "one step"
  set at[me] to c

play
  set at[hound] to START
  turns from hare
    me plays step
    if at[hare] = at[hound]
      win hound
"""

WEIGHED = """game "Weighed hands"

players left, right

type hand = {rock, paper, scissors}

state
  shown: player -> hand?

move show(h: hand) written "{h}"
  set shown[me] to h

play
  everyone plays show
  if shown[left] = shown[right]
    draw
  if (shown[left], shown[right]) in {(rock, scissors), (paper, rock), (scissors, paper)}
    if shown[left] = rock
      end with 1, -1
    end with HALF, -HALF
  end with -1, 1
"""


def solved(
    name: str, *, moves: str = "", by: Any = "result", method: Any = "auto", limit: int = 10**7, **options: Any
) -> Solved:
    state = gamedsl.load(name, **options).initial_state()
    for text in filter(None, moves.split(";")):
        state = state.apply(state.game.parse_move(text.strip(), state))
    return solve(state, by=by, method=method, limit=limit)


def written(tmp_path: Path, text: str) -> str:
    path = tmp_path / "game.gdl"
    path.write_text(text, encoding="utf-8")
    return str(path)


# ------------------------------------------------------------------------------------------------- published values

# columns, rows, length: van den Herik, Uiterwijk and van Rijswijck, 'Games solved: now and in the future' (2002)
M_N_K = [(3, 3, 3, 0), pytest.param(4, 3, 3, 1, marks=pytest.mark.slow), (2, 2, 2, 1), (4, 3, 4, 0)]


@pytest.mark.parametrize(("m", "n", "k", "wanted"), M_N_K)
def test_m_n_k(m: int, n: int, k: int, wanted: int) -> None:
    assert solved("m-n-k", m=m, n=n, k=k, method="depth").value == wanted
    assert m * n > 9 or solved("m-n-k", m=m, n=n, k=k, method="graph").value == wanted


# columns, rows, length, misère: the values that are published, or follow from those by strategy stealing
LARGER = [
    (4, 4, 3, False, 1),
    (4, 4, 4, False, 0),
    (5, 5, 3, False, 1),
    (4, 3, 3, True, -1),
    (4, 4, 3, True, -1),
    (4, 4, 4, True, 0),
]


@pytest.mark.slow
@pytest.mark.parametrize(("m", "n", "k", "misere", "wanted"), LARGER)
def test_larger_m_n_k(m: int, n: int, k: int, misere: bool, wanted: int) -> None:
    assert solved("m-n-k", m=m, n=n, k=k, misere=misere, method="depth").value == wanted


def test_misere_tic_tac_toe_is_a_draw_and_the_middle_keeps_it() -> None:
    found = solved("misere-tic-tac-toe")
    assert found.value == 0
    assert [w.text for w in found.actions if w.low == 0] == ["b2"]


@pytest.mark.parametrize(("n", "openings"), [(1, 1), (2, 2), (3, 5)])
def test_hex(n: int, openings: int) -> None:
    found = solved("hex", n=n)
    assert found.value == 1
    assert sum(w.low == 1 for w in found.actions) == openings


@pytest.mark.slow
def test_hex_four_has_four_winning_openings() -> None:
    found = solved("hex", n=4, method="graph", limit=10**8)
    assert found.value == 1 and sum(w.low == 1 for w in found.actions) == 4


@pytest.mark.parametrize(("rows", "columns", "margin"), [(1, 1, -1), (1, 2, 0)])
def test_dots_and_boxes(rows: int, columns: int, margin: int) -> None:
    assert solved("dots-and-boxes", by="score", rows=rows, columns=columns).value == margin


@pytest.mark.slow
def test_dots_and_boxes_two_by_two() -> None:
    assert solved("dots-and-boxes", by="score", rows=2, columns=2).value == 2


@pytest.mark.parametrize("heaps", list(combinations_with_replacement(range(4), 3)), ids=str)
def test_nim(heaps: tuple[int, int, int]) -> None:
    a, b, c = heaps
    assert solved("nim", a=a, b=b, c=c).value == (1 if a ^ b ^ c else -1)


@pytest.mark.parametrize("method", ["depth"])
def test_reversi_four_by_four_is_lost_by_eight(method: str) -> None:
    assert solved("reversi", by="score", size=2, method=method).value == -8


@pytest.mark.parametrize(("n", "wanted"), [(2, -1), (3, 1)])
def test_x_s_and_lines(n: int, wanted: int) -> None:
    assert solved("x-s-and-lines", n=n).value == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("n", "wanted"), [(4, -1), (5, 1)])
def test_larger_x_s_and_lines(n: int, wanted: int) -> None:
    assert solved("x-s-and-lines", n=n, method="depth").value == wanted
    assert n > 4 or solved("x-s-and-lines", n=n, method="graph").value == wanted


def test_connect_four_four_by_four_is_a_draw() -> None:
    assert solved("connect-four", rows=4, columns=4, method="depth").value == 0


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "positions"), [(4, 4, 161_029), (5, 4, 3_945_711), (4, 5, 1_706_255)])
def test_small_connect_fours(columns: int, rows: int, positions: int) -> None:
    """Draws, with as many positions as others count (Tromp's table of small boards)."""
    whole = solved("connect-four", rows=rows, columns=columns, method="graph")
    assert (whole.value, whole.positions) == (0, positions)
    assert solved("connect-four", rows=rows, columns=columns, method="depth").value == 0


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "wanted"), [(5, 5, 0), (6, 4, -1)])
def test_larger_connect_fours(columns: int, rows: int, wanted: int) -> None:
    assert solved("connect-four", rows=rows, columns=columns, method="depth").value == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "wanted"), [(6, 3, 1), (5, 3, -1), (5, 4, -1)])
def test_small_breakthroughs(rows: int, columns: int, wanted: int) -> None:
    assert solved("breakthrough", rows=rows, columns=columns, method="depth").value == wanted


@pytest.mark.slow
def test_pig_to_a_hundred() -> None:
    """Neller and Presser, 'Optimal Play of the Dice Game Pig' (2004): the first player wins with 0.5305927."""
    found = solved("pig", method="graph")
    assert found.value is not None
    assert (1 + found.value) / 2 == pytest.approx(0.5305927, abs=5e-8)


def test_two_players_at_pig_by_hand() -> None:
    """To two points: a roll of 2 to 6 wins by holding, a 1 passes the die. p = 5/6 + 1/6 (1 - p), so p = 6/7."""
    found = solved("pig", target=2)
    assert found.value is not None and (1 + found.value) / 2 == Fraction(6, 7)


def pig_by_value_iteration(target: int) -> float:
    """Neller and Presser's equations, straight: the chance to win of who has i points, the other j, k in this turn."""
    p = {(i, j, k): 0.5 for i in range(target) for j in range(target) for k in range(target - i)}

    def chance(i: int, j: int, k: int) -> float:
        return 1.0 if i + k >= target else p[i, j, k]

    change = 1.0
    while change > 1e-12:
        change = 0.0
        for i, j, k in p:
            roll = (1 - chance(j, i, 0) + sum(chance(i, j, k + r) for r in range(2, 7))) / 6
            hold = 1 - chance(j, i + k, 0) if i + k < target else 1.0
            new = max(roll, hold) if k else roll
            change, p[i, j, k] = max(change, abs(new - p[i, j, k])), new
    return p[0, 0, 0]


def test_pig_to_ten_by_other_equations() -> None:
    found = solved("pig", target=10)
    assert found.value is not None
    assert (1 + found.value) / 2 == pytest.approx(pig_by_value_iteration(10), abs=1e-8)


# ------------------------------------------------------------------------------------------------------ by hand


@pytest.mark.parametrize("goal", [2, 4, 7])
def test_the_gamblers_ruin_is_exact(tmp_path: Path, goal: int) -> None:
    """With a fair coin, who has 1 of the goal gets there with probability 1 / goal (Huygens 1657)."""
    found = solved(written(tmp_path, RUIN), goal=goal)
    assert found.value == Fraction(2, goal) - 1
    assert not isinstance(found.value, float)


def test_parity_decides_a_chase(tmp_path: Path) -> None:
    """Round four squares: from the far corner the hare must come within reach; from the next one it keeps away."""
    caught = solved(written(tmp_path, CHASE.replace("START", "b2")))
    assert (caught.value, caught.plies) == (-1, 2)
    endless = solved(written(tmp_path, CHASE.replace("START", "a2")))
    assert endless.value == 0 and endless.endless and endless.plies is None


def test_rock_paper_scissors_goes_on_after_ties_and_is_fair() -> None:
    found = solved("rock-paper-scissors")
    assert found.value == 0
    assert {w.share for w in found.actions} == {Fraction(1, 3)} and len(found.actions) == 6


def test_a_value_that_is_better_for_both_than_any_pure_choice() -> None:
    """The textbook 2 x 2 formula: (ad - bc) / (a + d - b - c)."""
    f = Fraction
    found = matrix_value([[f(3), f(-1)], [f(-2), f(1)]])
    assert (found.value, found.rows, found.columns) == (f(1, 7), (f(3, 7), f(4, 7)), (f(2, 7), f(5, 7)))


matrices = st.integers(1, 4).flatmap(
    lambda m: st.integers(1, 4).flatmap(
        lambda n: st.lists(st.lists(st.integers(-5, 5).map(Fraction), min_size=n, max_size=n), min_size=m, max_size=m)
    )
)


@settings(deadline=None)
@given(matrices)
def test_neither_player_of_a_matrix_game_can_do_better(a: list[list[Fraction]]) -> None:
    found = matrix_value(a)
    assert sum(found.rows) == 1 == sum(found.columns) and min(*found.rows, *found.columns, 1) >= 0
    assert min(sum(x * row[j] for x, row in zip(found.rows, a, strict=True)) for j in range(len(a[0]))) == found.value
    assert max(sum(y * v for y, v in zip(found.columns, row, strict=True)) for row in a) == found.value


@settings(deadline=None)
@given(matrices)
def test_floats_come_near_fractions(a: list[list[Fraction]]) -> None:
    floats = [[float(x) for x in row] for row in a]
    assert matrix_value(floats).value == pytest.approx(float(matrix_value(a).value), abs=1e-9)


# ------------------------------------------------------------------------------------------------ against a slow solver


@st.composite
def graphs(draw: st.DrawFn, kinds: tuple[int, ...] = (END, CHOICE)) -> tuple[PlayGraph, Utilities]:
    """Small graphs of all shapes, with ways that come back, and what their ends are worth."""
    size = draw(st.integers(1, 9))
    chosen = [draw(st.sampled_from(kinds)) for _ in range(size)]
    starts, targets, weights = [0], [], []
    for kind in chosen:
        ways = [] if kind == END else draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=3))
        targets += ways
        weights += [draw(st.integers(1, 3)) if kind == CHANCE else 1 for _ in ways]
        starts.append(len(targets))
    seats = [draw(st.integers(0, 1)) if k == CHOICE else -1 for k in chosen]
    ends = [i for i, k in enumerate(chosen) if k == END]
    worth = np.array([draw(st.integers(-2, 2)) for _ in ends], dtype=np.int64)
    graph = PlayGraph(2, chosen, seats, starts, targets, weights, {}, size, cast(Graph, None))
    return graph, Utilities(np.array(ends, dtype=np.int64), np.stack([worth, -worth]))


def after_rounds(graph: PlayGraph, utilities: Utilities, rounds: int) -> list[Fraction]:
    """What can be got in so many plies when all that lasts longer counts 0."""
    now = [Fraction(utilities.of(0).get(i, 0)) for i in range(len(graph))]
    for _ in range(rounds):
        later = []
        for i in range(len(graph)):
            ways = [now[t] for t in graph.successors(i)]
            match graph.kinds[i], graph.seats[i]:
                case 0, _:
                    later.append(now[i])
                case 1, 0:
                    later.append(max(ways))
                case 1, _:
                    later.append(min(ways))
                case _:
                    weights = graph.weights[graph.starts[i] : graph.starts[i + 1]]
                    later.append(sum(w * v for w, v in zip(weights, ways, strict=True)) / sum(weights))
        now = later
    return now


@settings(max_examples=200, deadline=None)
@given(graphs())
def test_endless_plays_count_nothing(drawn: tuple[PlayGraph, Utilities]) -> None:
    """Without chance, the plies of a graph's own number are enough to force what can be forced at all."""
    graph, utilities = drawn
    found = values(graph, 0, utilities.of(0).__getitem__, (-2, 2))
    assert found.low == found.high == after_rounds(graph, utilities, len(graph) + 1)


@settings(max_examples=100, deadline=None)
@given(graphs((END, CHOICE, CHANCE)))
def test_bounds_hold_with_chance(drawn: tuple[PlayGraph, Utilities]) -> None:
    graph, utilities = drawn
    found = values(graph, 0, utilities.of(0).__getitem__, (-2, 2))
    truth = after_rounds(graph, utilities, 60)
    for i, (low, high) in enumerate(zip(found.low, found.high, strict=True)):
        assert low <= high
        assert low - Fraction(1, 10) <= truth[i] <= high + Fraction(1, 10) or high - low <= 1e-9


@settings(max_examples=100, deadline=None)
@given(graphs())
def test_distances_are_those_of_play_that_keeps_to_the_value(drawn: tuple[PlayGraph, Utilities]) -> None:
    graph, utilities = drawn
    found = values(graph, 0, utilities.of(0).__getitem__, (-2, 2))
    plies = distances(graph, 0, found)
    for i, value in enumerate(found.low):
        assert (plies[i] is None) == (value == 0)
        if value == 0 or graph.kinds[i] == END:
            continue
        further = [cast(int, plies[t]) for t in graph.successors(i) if found.low[t] == value]
        hastens = (value > 0) == (graph.seats[i] == 0)
        assert plies[i] == 1 + (min(further) if hastens else max(further))


@settings(max_examples=200, deadline=None)
@given(graphs(), st.integers(0, 9), st.integers(0, 1))
def test_the_compiled_loops_find_the_same(drawn: tuple[PlayGraph, Utilities], cut: int, seat: int) -> None:
    graph, utilities = drawn
    graph = shortened(graph, min(cut, len(graph)))
    known = Utilities(utilities.ends[utilities.ends < graph.cut], utilities.values[:, utilities.ends < graph.cut])
    slow = values(graph, seat, known.of(seat).__getitem__, (-2, 2))
    large = Large(graph, seat, known, 2)
    fast = large.values()
    assert (fast.low, fast.high) == (slow.low, slow.high)
    assert large.distances(fast) == distances(graph, seat, slow)


def shortened(graph: PlayGraph, cut: int) -> PlayGraph:
    """The same, as if the positions from ``cut`` on had not been gone on from."""
    end = graph.starts[cut]
    starts = [*graph.starts[: cut + 1], *[end] * (len(graph) - cut)]
    return replace(graph, starts=starts, targets=graph.targets[:end], weights=graph.weights[:end], cut=cut)


@settings(max_examples=100, deadline=None)
@given(graphs((END, CHOICE, CHANCE)))
def test_the_compiled_loops_come_near_with_chance(drawn: tuple[PlayGraph, Utilities]) -> None:
    graph, utilities = drawn
    slow = values(graph, 0, utilities.of(0).__getitem__, (-2, 2))
    fast = Large(graph, 0, utilities, 2).values()
    for i in range(len(graph)):
        assert fast.low[i] <= slow.high[i] + 1e-9 and slow.low[i] <= fast.high[i] + 1e-9
        assert not slow.known(i) or not fast.known(i) or abs(slow.low[i] - fast.low[i]) <= 1e-8


def best(state: gamedsl.State, known: dict[gamedsl.State, tuple[int, int]]) -> tuple[int, int]:
    """The value for X and the plies until a win or loss, by plain recursion."""
    if state.is_terminal:
        return int(state.returns[0]), 0
    if state not in known:
        sign = 1 if state.current_player == 0 else -1
        after = [best(state.apply(m), known) for m in state.legal_moves()]
        value = sign * max(sign * v for v, _ in after)
        plies = [n for v, n in after if v == value]
        known[state] = value, 1 + (min(plies) if value == sign else max(plies))
    return known[state]


@pytest.mark.parametrize("moves", ["", "a1", "a1;b1", "b2;b1", "a1;c3;c1", "a1;b2;c3;a2"])
def test_ways_and_distances_of_tic_tac_toe(moves: str) -> None:
    found = solved("tic-tac-toe", moves=moves)
    state = gamedsl.load("tic-tac-toe").initial_state()
    for text in filter(None, moves.split(";")):
        state = state.apply(state.game.parse_move(text, state))
    known: dict[gamedsl.State, tuple[int, int]] = {}
    value, plies = best(state, known)
    assert (found.value, found.plies) == (value, plies if value else None)
    sign = 1 if state.current_player == 0 else -1
    for way in found.actions:
        value, plies = best(state.apply(state.game.parse_move(way.text, state)), known)
        assert (way.low, way.high, way.plies) == (sign * value, sign * value, plies if value else None)


@pytest.mark.parametrize("moves", ["", "b1", "a1;a2", "b2;a3;c1"])
def test_both_methods_agree(moves: str) -> None:
    a, b = (solved("hex", n=3, moves=moves, method=m) for m in ("graph", "depth"))
    assert a.value == b.value != 0
    assert len(a.line) == a.plies


@pytest.mark.parametrize("name, options", [("tic-tac-toe", {}), ("nim", {"a": 2, "b": 3, "c": 1}), ("hex", {"n": 3})])
def test_the_compiled_search_agrees_with_the_engines(name: str, options: dict[str, int]) -> None:
    """In every position of a random play, with one memory for all."""
    state = gamedsl.load(name, **options).initial_state()
    compiled, plain, rng = NativeSearch(state, "result", 10**6, None), EngineSearch("result", 10**6), Random(3)
    while not state.is_terminal:
        assert compiled.solve(state) and plain.solve(state)
        assert compiled.bounds(state) == plain.bounds(state)
        state = state.apply(state.propose(rng))
    assert compiled.bounds(state) == plain.bounds(state)


def test_symmetries_share_what_is_known_and_change_nothing() -> None:
    start = gamedsl.load("m-n-k", m=4, n=3, k=3).initial_state()
    shared, alone = NativeSearch(start, "result", 10**6, None), NativeSearch(start, "result", 10**6, None)
    alone.symmetries = symmetry_steps(start.game.program, [])
    corners = [start.apply(start.game.parse_move(text, start)) for text in ("a1", "d1", "a3", "d3")]
    for search in (shared, alone):
        assert search.solve(start) and search.bounds(start) == (1, 1)
        assert search.solve(corners[0])
    known = shared.bounds(corners[0])
    assert known == alone.bounds(corners[0])
    assert all(shared.bounds(c) == known for c in corners)
    assert shared.positions < alone.positions


def test_the_compiled_search_stops_and_refuses(tmp_path: Path) -> None:
    start = gamedsl.load("hex", n=4).initial_state()
    search = NativeSearch(start, "result", 100, None)
    assert not search.solve(start) and search.positions == 100
    chase = gamedsl.load(written(tmp_path, CHASE.replace("START", "a2"))).initial_state()
    with pytest.raises(gamedsl.UsageError, match="positions repeat"):
        NativeSearch(chase, "result", 1000, None).solve(chase)
    pig = gamedsl.load("pig", target=5).initial_state()
    with pytest.raises(gamedsl.UsageError, match="chance"):
        NativeSearch(pig, "result", 1000, None).solve(pig)


def test_the_line_shown_is_a_play_that_comes_to_the_value() -> None:
    for method in ("graph", "depth"):
        found = solved("dots-and-boxes", by="score", rows=1, columns=2, method=method)
        state = found.game.initial_state()
        for text in found.line:
            state = state.apply(state.game.parse_move(text, state))
        assert state.is_terminal and state.scores[0] - state.scores[1] == found.value


# ------------------------------------------------------------------------------------------------------------ limits


@pytest.mark.parametrize("limit", [1, 10, 500, 3000])
def test_what_was_not_looked_at_leaves_bounds(limit: int) -> None:
    found = solved("tic-tac-toe", method="graph", limit=limit)
    low, high = found.bounds[0]
    assert low <= 0 <= high
    assert found.positions <= limit and not found.complete
    assert found.known is (low == high)


def test_three_players_get_what_they_can_be_sure_of() -> None:
    found = solved("pig", players=3, target=2)
    assert len(found.bounds) == 3
    assert sum(low for low, _ in found.bounds) < 0  # against two who make common cause


def test_secrets_are_refused() -> None:
    with pytest.raises(gamedsl.UsageError, match="some players cannot see"):
        solved("phantom-tic-tac-toe")


def test_the_advice_for_games_with_secrets_works() -> None:
    with pytest.raises(gamedsl.UsageError) as refusal:
        solved("phantom-tic-tac-toe")
    methods = re.findall(r"`(cfr\+?|lp)`", refusal.value.diagnostics[0].help)
    assert methods == ["cfr+", "cfr", "lp"]
    for method in methods:
        assert main(["solve", "kuhn-poker", "--method", method]) == ExitCode.FINE


def test_drawings_are_refused() -> None:
    with pytest.raises(gamedsl.UsageError, match="drawing"):
        solved("abs-trac-toe")


def test_repetition_is_refused_by_depth_only(tmp_path: Path) -> None:
    with pytest.raises(gamedsl.UsageError, match="positions repeat"):
        solved(written(tmp_path, CHASE.replace("START", "a2")), method="depth")


# ---------------------------------------------------------------------------------------------------- at the prompt


def test_at_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic-tac-toe", "--from", "a1; b1", "--all-moves"]) == 0
    out = capsys.readouterr().out
    assert "X wins in 5 plies" in out and "c1: a draw" in out and "b2: X wins in 4 plies" in out


def test_a_bound_is_told_by_the_exit_code(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic-tac-toe", "--limit", "50", "--method", "graph"]) == 4
    assert "not known" in capsys.readouterr().out


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "hex", "-s", "n=2", "--format", "json"]) == 0
    data = json.loads(capsys.readouterr().out)
    assert data["known"] and data["plies"] == 3 and data["values"]["red"] == {"low": "1", "high": "1", "exact": True}
    assert [w["move"] for w in data["actions"] if w["low"] == "1"] == ["b1", "a2"]


def test_scores_where_there_are_none(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic-tac-toe", "--score"]) == 2
    assert "no scores" in capsys.readouterr().err


@pytest.mark.parametrize("limit", ["0", "1", "2"])
@pytest.mark.parametrize("method", ["graph", "depth", "auto"])
def test_tiny_limits(limit: str, method: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic-tac-toe", "--limit", limit, "--method", method]) == 4
    assert "not known" in capsys.readouterr().out


@pytest.mark.parametrize("method", ["graph", "depth"])
def test_a_play_that_is_over(method: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "tic-tac-toe", "--from", "a1;b1;a2;b2;a3", "--method", method]) == 0
    assert "X wins\n" in capsys.readouterr().out
