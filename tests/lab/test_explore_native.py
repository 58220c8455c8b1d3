"""The explorer on compiled rules: the same graph as on the engine, published counts, and claims asked of many states."""

from __future__ import annotations

import numpy as np
import pytest

from gamedsl.compiler import compile_program
from gamedsl.engine import InterpretedGame
from gamedsl.lab.base.claim_kinds import read_claim
from gamedsl.lab.claims.state_space import StateSpace
from gamedsl.lab.explore.breadth_first import GUESSES, Search
from gamedsl.lab.explore.explore_limits import memory_used
from gamedsl.lab.explore.explorer import Execution, Limits, Progress, explore
from gamedsl.lab.explore.kernels.hash_table import place
from gamedsl.lab.explore.native_store import NativeStore
from gamedsl.lab.explore.state_graph import Graph
from gamedsl.lab.explore.support import explores
from gamedsl.language.core.nodes import StateClaim
from gamedsl.language.rules import load_lowered, load_program
from gamedsl.language.rules.files import shipped
from tests.lab.judging import check_claim, judge

SMALL = [
    ("tic-tac-toe", {}),
    ("rock-paper-scissors", {}),
    ("x-s-and-lines", {"n": 3}),
    ("hex-swap", {"n": 3}),
    ("dots-and-boxes", {"rows": 1, "columns": 2}),
    ("pig", {"target": 20}),
    ("kalah", {"houses": 3, "seeds_each": 2}),
    ("horn-tiles", {}),
    ("t-tic-t-tac-toe-game", {}),
    ("t-tic-t-tac-toe", {}),
    ("atreso", {}),
]


def same(a: Graph, b: Graph) -> None:
    """Are they alike in all that they tell?"""
    assert (len(a), a.expanded, a.levels, a.stopped) == (len(b), b.expanded, b.levels, b.stopped)
    for name in ("first", "target", "parent"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert (a.weight is None) == (b.weight is None)
    if a.weight is not None and b.weight is not None:
        assert np.array_equal(a.weight, b.weight)
    assert np.array_equal(a.kinds(), b.kinds())
    assert np.array_equal(a.seats(), b.seats())
    assert np.array_equal(a.blocks(), b.blocks())
    for i in range(0, len(a), 1 + len(a) // 200):
        assert a.state(i) == b.state(i)
        assert a.returns(i) == b.returns(i)
    assert [(f.state, f.action, str(f.error.diagnostics[0].span)) for f in a.faults] == [
        (f.state, f.action, str(f.error.diagnostics[0].span)) for f in b.faults
    ]


def both(name: str, options: dict[str, int], limits: Limits) -> tuple[Graph, Graph]:
    game = InterpretedGame(load_program(name, options))
    return explore(game, limits, execution=Execution(native=False)), explore(
        game, limits, execution=Execution(native=True)
    )


@pytest.mark.parametrize(("name", "options"), SMALL)
def test_the_same_graph(name: str, options: dict[str, int]) -> None:
    same(*both(name, options, Limits(states=4000)))


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_the_same_graph_of_every_ruleset(name: str) -> None:
    if explores(load_program(name)):
        same(*both(name, {}, Limits(states=2000)))


@pytest.mark.parametrize("depth", [0, 1, 4, 9])
def test_the_same_limits_of_depth(depth: int) -> None:
    same(*both("tic-tac-toe", {}, Limits(depth=depth)))


@pytest.mark.parametrize("states", [1, 2, 10, 500, 5477, 5478])
def test_the_same_limits_of_states(states: int) -> None:
    same(*both("tic-tac-toe", {}, Limits(states=states)))


def test_the_same_rules_errors(tmp_path: pytest.TempPathFactory) -> None:
    path = str(tmp_path / "wrong.gdl")  # type: ignore[operator]
    with open(path, "w", encoding="utf-8") as file:
        file.write(
            'game "Wrong"\nplayers A, B\nstate\n  left: 0..5 = 3\n'
            'move less(k: 1..2) written "less {k}"\n  take k from left\n'
            'move more written "more"\n  when left < 5 "full"\n  add 1 to left\n'
            "play\n  turns from A\n    me plays less | more\n    if left = 0\n      win me\n"
        )
    a, b = both(path, {}, Limits())
    assert len(a.faults) > 0
    same(a, b)


def test_four_by_four_columns() -> None:
    """Connect four on a board of four by four: 161,029 positions."""
    graph = explore(InterpretedGame(load_program("connect-four", {"rows": 4, "columns": 4})))
    assert isinstance(graph.store, NativeStore)
    assert (len(graph), graph.stopped) == (161_029, "whole")


@pytest.mark.slow
def test_published_counts_of_larger_boards() -> None:
    """Connect four 5 wide, 4 high: 3,945,711 positions and 8,757,625 moves; 4 wide, 5 high: 1,706,255. Four in a row on
    four by four: 9,722,011 positions (401,096 won by the first, 252,940 by the second, 5,356 drawn), 51,562,424 moves."""
    wide = explore(InterpretedGame(load_program("connect-four", {"rows": 4, "columns": 5})))
    assert (len(wide), wide.edge_count, len(wide.target)) == (3_945_711, 8_757_625, 8_757_625)
    assert len(explore(InterpretedGame(load_program("connect-four", {"rows": 5, "columns": 4})))) == 1_706_255
    rows = load_lowered("m-n-k", {"m": 4, "n": 4, "k": 4})
    graph = explore(InterpretedGame(rows.program))
    assert (len(graph), graph.edge_count) == (9_722_011, 51_562_424)
    space = StateSpace(graph)
    for condition, count in (("line_of(X)", 401_096), ("line_of(O)", 252_940), ("drawn", 5_356)):
        claim = read_claim(rows, f"never {condition}")
        assert isinstance(claim, StateClaim)
        assert sum(int(held.sum()) for _, held in space.answers(claim.condition, 0)) == count


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows", "states"), [(5, 5, 69_763_700), (6, 4, 94_910_577)])
def test_published_counts_of_tens_of_millions(columns: int, rows: int, states: int) -> None:
    """Connect four; in up to two GB of memory."""
    graph = explore(
        InterpretedGame(load_program("connect-four", {"rows": rows, "columns": columns})),
        execution=Execution(native=True),
    )
    assert (len(graph), graph.stopped) == (states, "whole")
    assert memory_used() < 3 << 30


@pytest.mark.parametrize("guesses", [0, GUESSES])
def test_at_most_sixteen_bytes_beside_the_state(guesses: int) -> None:
    """The table, four bytes a place and from 35 to 70 in a hundred full, and from where a state was reached; with a table
    of one level less. The state itself has 40 bits here."""
    game = InterpretedGame(load_program("connect-four", {"rows": 4, "columns": 4}))
    search = Search(game, compile_program(game.program, game), Limits(), None, guesses=guesses)
    graph = search.run(None)
    assert graph.layered == bool(guesses)
    assert search.found.room.nbytes / len(graph) + search.found.parent.itemsize <= (9 if guesses else 16)
    assert search.store.words[0].nbytes == 8


def test_equal_hashes_are_told_apart() -> None:
    """A table so small that most states meet others on the way: each is found at its own place."""
    rows = np.arange(14, dtype=np.int64).reshape(7, 2)
    table = np.zeros(8, dtype=np.uint32)
    for i in range(6):
        at = place(table, rows, i)
        assert table[at] == 0
        table[at] = i + 1
    assert [int(table[place(table, rows, i)]) for i in range(6)] == [1, 2, 3, 4, 5, 6]
    assert table[place(table, rows, 6)] == 0
    rows[6] = rows[3]
    assert table[place(table, rows, 6)] == 4


def test_progress_is_told() -> None:
    told: list[Progress] = []
    explore(
        InterpretedGame(load_program("connect-four", {"rows": 4, "columns": 4})),
        execution=Execution(native=True),
        watch=told.append,
    )
    assert [p.expanded for p in told] == sorted(p.expanded for p in told)
    assert told[-1].states == 161_029


def test_limits_of_time() -> None:
    graph = explore(InterpretedGame(load_program("connect-four")), Limits(seconds=0.5))
    assert graph.stopped == "time"
    assert graph.complete_depth >= 0  # how deep depends on the machine


# --------------------------------------------------------------------------------------------------------- claims

CLAIMS = [
    "never three(X) and three(O)",
    "never three(X)",
    "always not over or winners != {}",
    "reachable drawn",
    "reachable three(X) and three(O)",
    "three(X) leads to over",
    "count(mark[X]) = 2 leads to winners = {X}",
    "ends within 8 plies",
    "always the(mark[X]) in mark[X]",
    "used place",
]


@pytest.mark.parametrize("text", CLAIMS)
def test_the_same_verdicts(text: str) -> None:
    rules = load_lowered("tic-tac-toe")
    game = InterpretedGame(rules.program)
    claim = read_claim(rules, text)
    found = [
        check_claim(StateSpace(explore(game, execution=Execution(native=native))), claim) for native in (False, True)
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("name", "options"), [s for s in SMALL if s[0] not in ("pig", "atreso", "t-tic-t-tac-toe", "t-tic-t-tac-toe-game")]
)
def test_the_same_verdicts_on_all_claims(name: str, options: dict[str, int]) -> None:
    game = InterpretedGame(load_program(name, options))
    claims = list(game.program.claims)
    found = [
        judge(explore(game, Limits(states=1500), execution=Execution(native=native)), claims)
        for native in (False, True)
    ]
    assert found[0] == found[1]
