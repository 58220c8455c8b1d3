"""Score offsets: which rules allow them, that play continues alike without them, and that values agree."""

from __future__ import annotations

from pathlib import Path
from random import Random

import numpy as np
import pytest

import gamedsl
from gamedsl.compiler import compile_program
from gamedsl.compiler.emit.memory_layout import Frame
from gamedsl.engine.state import State
from gamedsl.lab.base.arrays import Bytes
from gamedsl.lab.solve.depth_compiled import NativeSearch
from gamedsl.lab.solve.depth_search import EngineSearch
from gamedsl.lab.solve.solver import solve
from gamedsl.lab.symmetry.score_offsets import canonicalize_scores, gains, score_offsets_of
from gamedsl.language.core.nodes import Program
from tests.lab.test_solve import written

COLLECT = """game "Collect"

players left, right

board grid 2 by 3 named by letters

piece stone of player

define taken = stone[left] | stone[right]
define mine(p: player) = count(stone[p])

move put_it(c: cell) written "{c}"
  when c in empty "taken"
  put stone[me] on {d in cell - taken: d = c or (a1 in taken and row(d) = row(c))}

play
  turns from left
    let before = count(stone[me])
    me plays put_it
    if taken = cell
      rank by mine
    if count(stone[me]) > before + 1
      again
"""


def left_out(path: Path | str) -> list[tuple[str, tuple[int, ...], list[str]]]:
    return [(g.var.name, g.points, [m.name for m in g.marks]) for g in gains(gamedsl.load(path).program)]


def test_rules_that_count_for_the_score_alone() -> None:
    assert left_out("dots-and-boxes") == [("box", (1, -1), ["before"])]
    assert left_out("reversi") == left_out("m-n-k") == left_out("hex") == left_out("chess") == []


# what of the rules is changed, and whether counts can still be left out
CHANGES = [
    ("before + 1", "before + 1", True),
    ("before + 1", "before", True),
    ("> before + 1", "- 1 > before + before", False),
    ("count(stone[me]) > before + 1", "count(stone[me]) - before > 1", True),
    ("count(stone[me]) > before", "before < 2 and count(stone[me]) > before", False),  # reads the mark alone
    ("count(stone[me]) > before", "count(stone[left]) > before", False),  # beside another count
    ("count(stone[me]) > before", "count(stone[me]) > 2", False),
    (
        "rank by mine\n",
        "rank by mine\n    if mine(left) >= 3\n      rank by mine\n",
        False,
    ),  # ends when so many are won
    ('when c in empty "taken"', 'when c in empty "taken"\n  when mine(me) < 5 "enough"', False),
    ("count(stone[p])", "count(stone[p]) * 2", False),  # linear, but not seen to be
    ("count(stone[p])", "count(stone[p]) * count(stone[p])", False),
    ("count(stone[p])", "count(stone[p]) + count(stone[p] | stone[p])", False),
    ("let before = count(stone[me])", "let before = count(stone[left])", False),
    ("d = c or (a1 in taken", "d = c or (a1 in stone[left]", False),
]


@pytest.mark.parametrize(("old", "new", "can"), CHANGES)
def test_when_counts_can_be_left_out(tmp_path: Path, old: str, new: str, can: bool) -> None:
    assert old in COLLECT
    assert bool(left_out(written(tmp_path, COLLECT.replace(old, new)))) == can


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(("name", "plies"), [("dots-and-boxes", 12), ("collect", 2)])
def test_positions_that_differ_in_what_is_won_go_on_alike(tmp_path: Path, name: str, plies: int, seed: int) -> None:
    """The same moves and the same turns all along, and in the end the same gain."""
    game = gamedsl.load(name, rows=2, columns=3) if name != "collect" else gamedsl.load(written(tmp_path, COLLECT))
    found, native, rng = score_offsets_of(game.program, True), compile_program(game.program, game), Random(seed)
    state = game.initial_state()
    for _ in range(plies):
        state = state.apply(state.propose(rng))
    assert not state.is_terminal
    row = np.frombuffer(bytes(native.pack(state, native.context())), dtype=np.uint8).copy()
    dealt = _dealt(game.program, row, state.to_act[0], rng)
    other = native.unpack(dealt.tobytes(), native.context())
    rows = [row.copy(), dealt.copy()]
    ahead = [int(canonicalize_scores(r, found)) for r in rows]
    assert (rows[0] == rows[1]).all()
    assert _played(state, Random(seed), ahead[0]) == _played(other, Random(seed), ahead[1])


def _dealt(program: Program, row: Bytes, mover: int, rng: Random) -> Bytes:
    """The same position, with what has been won dealt out anew, and the mark the mover's count."""
    (gain,) = gains(program)
    frame, row = Frame(program), row.copy()
    place = frame.place(gain.var)
    held = [
        int.from_bytes(row[place.offset + k * place.stride :][: place.cell.size].tobytes(), "little") for k in (0, 1)
    ]
    left = sum(1 << i for i in range(gain.var.type.domain.size) if (held[0] | held[1]) >> i & rng.randrange(2))
    new = [left, (held[0] | held[1]) & ~left]
    for k in (0, 1):
        row[place.offset + k * place.stride :][: place.cell.size] = list(new[k].to_bytes(place.cell.size, "little"))
    row[frame.place(gain.marks[0]).offset] = new[mover].bit_count()
    return row


def _played(state: State, rng: Random, ahead: int) -> tuple[list[tuple[list[str], object]], int]:
    """What could be done at each turn of a random play, and what was gained by it."""
    seen: list[tuple[list[str], object]] = []
    while not state.is_terminal:
        seen.append(([str(m) for m in state.legal_moves()], state.to_act))
        state = state.apply(state.propose(rng))
    return seen, int(state.scores[0] - state.scores[1]) - ahead


# ------------------------------------------------------------------------------------------------------------ values


# 1x1 to 2x3: J. K. Barker and R. E. Korf, "Solving Dots-And-Boxes", AAAI 2012; Berlekamp (2000)
@pytest.mark.parametrize(("rows", "columns", "margin"), [(1, 1, -1), (1, 2, 0), (2, 2, 2)])
def test_dots_and_boxes(rows: int, columns: int, margin: int) -> None:
    state = gamedsl.load("dots-and-boxes", rows=rows, columns=columns).initial_state()
    search = NativeSearch(state, "score", 10**6, None)
    assert search.solve(state) and search.bounds(state) == (margin, margin)


@pytest.mark.slow
def test_dots_and_boxes_three_by_three() -> None:
    """The second player wins by 3 (24 lines)."""
    found = solve(
        gamedsl.load("dots-and-boxes", rows=3, columns=3).initial_state(), by="score", method="depth", limit=10**7
    )
    assert found.value == -3


@pytest.mark.parametrize(("rows", "columns", "plies"), [(1, 2, 0), (1, 3, 2), (2, 2, 5), (2, 3, 10)])
def test_values_are_those_of_whole_states(rows: int, columns: int, plies: int) -> None:
    """On the engine, where nothing is left out; after random beginnings, with one memory for all."""
    game, rng = gamedsl.load("dots-and-boxes", rows=rows, columns=columns), Random(rows)
    search = NativeSearch(game.initial_state(), "score", 10**6, None)
    for _ in range(6):
        state = game.initial_state()
        for _ in range(plies):
            state = state.apply(state.propose(rng))
        whole = EngineSearch("score", 10**6)
        assert whole.solve(state) and search.solve(state)
        assert search.bounds(state) == whole.bounds(state)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("dots-and-boxes", {"rows": 1, "columns": 2}),
        ("collect", {}),
        ("dots-and-boxes", {"rows": 1, "columns": 3}),
        pytest.param("reversi", {"size": 2}, marks=pytest.mark.slow),
    ],
)
def test_values_by_the_graph_of_whole_states(tmp_path: Path, name: str, options: dict[str, int]) -> None:
    state = gamedsl.load(written(tmp_path, COLLECT) if name == "collect" else name, **options).initial_state()
    search = NativeSearch(state, "score", 10**6, None)
    value = solve(state, by="score", method="graph").value
    assert search.solve(state) and search.bounds(state) == (value, value)


def test_by_results_it_matters_who_is_ahead() -> None:
    """Owners are exchanged, nothing is left out: the boxes won decide."""
    game = gamedsl.load("dots-and-boxes", rows=1, columns=3)
    assert score_offsets_of(game.program, False).rows.size == 0
    for seed in range(6):
        state, rng = game.initial_state(), Random(seed)
        for _ in range(3):
            state = state.apply(state.propose(rng))
        search, whole = NativeSearch(state, "result", 10**6, None), EngineSearch("result", 10**6)
        assert search.solve(state) and whole.solve(state)
        assert search.bounds(state) == whole.bounds(state)
