"""Proof-number search and what can still be reached: published values, and every position against going back from the ends."""

from __future__ import annotations

import ctypes
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.compiler import compile_program
from gamedsl.compiler.analysis.outcome_bounds import outcome_bounds, utility_levels
from gamedsl.compiler.analysis.set_growth import growth, surely_ends
from gamedsl.lab.solve.proof_number import ProofSearch
from gamedsl.lab.solve.solver import Solved, solve
from gamedsl.lab.symmetry.interchangeable_sets import canonicalize_owners, exchangeable, exchanges
from tests.lab.test_solve import CHASE, written


def by_questions(name: str, *, by: Any = "result", limit: int = 10**7, **options: Any) -> Solved:
    return solve(gamedsl.load(name, **options).initial_state(), by=by, method="proof", limit=limit)


# ------------------------------------------------------------------------------------------------- published values

# columns, rows, length, misère, value: van den Herik, Uiterwijk and van Rijswijck (2002); Gardner (1959)
M_N_K = [(3, 3, 3, False, 0), (4, 3, 3, False, 1), (4, 4, 3, False, 1), (5, 5, 3, False, 1), (4, 4, 4, False, 0),
         (3, 3, 3, True, 0), (4, 3, 3, True, -1)]  # fmt: skip


@pytest.mark.parametrize(("m", "n", "k", "misere", "wanted"), M_N_K)
def test_m_n_k(m: int, n: int, k: int, misere: bool, wanted: int) -> None:
    assert by_questions("m-n-k", m=m, n=n, k=k, misere=misere).value == wanted


@pytest.mark.slow
@pytest.mark.parametrize(
    ("m", "n", "k", "wanted"), [(5, 5, 4, 0), (6, 5, 4, 1), (6, 6, 4, 1)], ids=str
)  # fmt: skip
def test_larger_m_n_k(m: int, n: int, k: int, wanted: int) -> None:
    assert by_questions("m-n-k", m=m, n=n, k=k, limit=10**9).value == wanted


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "columns", "wanted"), [(6, 3, 1), (5, 4, -1), (5, 5, -1)])
def test_breakthrough(rows: int, columns: int, wanted: int) -> None:
    """5 by 5 is won by the second player (Saffidine, Jouandeau and Cazenave 2011)."""
    assert by_questions("breakthrough", rows=rows, columns=columns, limit=10**9).value == wanted


@pytest.mark.parametrize(("rows", "columns", "margin"), [(1, 1, -1), (1, 2, 0), (2, 2, 2)])
def test_dots_and_boxes(rows: int, columns: int, margin: int) -> None:
    assert by_questions("dots-and-boxes", by="score", rows=rows, columns=columns).value == margin


def test_reversi_four_by_four_is_lost_by_eight() -> None:
    assert by_questions("reversi", by="score", size=2).value == -8
    assert by_questions("reversi", size=2).value == -1


@pytest.mark.parametrize(
    ("name", "options", "wanted"),
    [
        ("hex", {"n": 4}, 1),
        ("nim", {"a": 1, "b": 2, "c": 3}, -1),
        ("nim", {"a": 1, "b": 2, "c": 2}, 1),
        ("connect-four", {"rows": 4, "columns": 4}, 0),
        ("x-s-and-lines", {"n": 3}, 1),
        ("domineering", {"rows": 5, "columns": 5}, -1),
    ],
)
def test_other_games(name: str, options: dict[str, Any], wanted: int) -> None:
    assert by_questions(name, **options).value == wanted


# ------------------------------------------------------------------------------- against going back from the ends

SMALL: list[tuple[str, dict[str, Any], Any]] = [
    ("tic-tac-toe", {}, "result"),
    ("misere-tic-tac-toe", {}, "result"),
    pytest.param("m-n-k", {"m": 4, "n": 3, "k": 3}, "result", marks=pytest.mark.slow),
    ("hex", {"n": 3}, "result"),
    ("hex-swap", {"n": 3}, "result"),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, "score"),
    ("dots-and-boxes", {"rows": 1, "columns": 2}, "result"),
    ("x-s-and-lines", {"n": 2}, "result"),
    ("clobber", {"rows": 3, "columns": 3}, "result"),
    ("kayles", {"pins": 9}, "result"),
    ("breakthrough", {"rows": 5, "columns": 2}, "result"),
]


@pytest.mark.parametrize(("name", "options", "by"), SMALL, ids=str)
def test_positions_of_random_plays(name: str, options: dict[str, Any], by: Any) -> None:
    """The value of each, with one memory for all; and what can still be reached leaves room for it."""
    game = gamedsl.load(name, **options)
    state, rng = game.initial_state(), Random(7)
    search = ProofSearch(state, by, 10**7)
    while not state.is_terminal:
        value = solve(state, by=by, method="graph").value
        assert search.solve(state)
        assert search.bounds(state) == (value, value)
        reach = possible(game, state, by)
        assert value is not None
        assert reach is None or reach[1] <= value <= reach[0]
        state = state.apply(state.propose(rng))


def possible(game: gamedsl.Game, state: gamedsl.State, by: str) -> tuple[int, int, int, int] | None:
    """The most, the least, the ways to the best end and to the worst; None where nothing is known."""
    native = compile_program(game.program, game)
    context = native.context()
    block = native.pack(state, context)
    out = np.zeros(4, dtype=np.int64)
    known = native.entry("outcome_bounds")(
        context.pointer, ctypes.addressof(block), int(by == "score"), out.ctypes.data
    )  # fmt: skip
    a, b, c, d = (int(x) for x in out)
    return (a, b, c, d) if known else None


TOLD = [("m-n-k", {"m": 4, "n": 4, "k": 4}, "result"), ("connect-four", {"rows": 4, "columns": 5}, "result"),
        ("hex", {"n": 4}, "result"), ("dots-and-boxes", {"rows": 2, "columns": 2}, "score"),
        ("y", {}, "result"), ("gomoku", {"size": 6}, "result"), ("pentago", {}, "result"),
        ("ultimate-tic-tac-toe", {}, "result")]  # fmt: skip


@pytest.mark.parametrize(("name", "options", "by"), TOLD, ids=str)
def test_what_can_still_be_reached_only_narrows_and_holds_the_result(
    name: str, options: dict[str, Any], by: str
) -> None:  # fmt: skip
    game = gamedsl.load(name, **{k: v for k, v in options.items() if k in dict(game_options(name))})
    for seed in range(12):
        state, rng, most, least = game.initial_state(), Random(seed), 10**6, -(10**6)
        seen = []
        while not state.is_terminal:
            reach = possible(game, state, by)
            if reach is None:
                break
            assert least <= reach[1] and reach[0] <= most
            most, least = reach[:2]
            seen.append(reach)
            state = state.apply(state.propose(rng))
        if state.is_terminal and seen:
            worth = state.returns[0] if by == "result" else state.scores[0] - state.scores[1]
            assert least <= worth <= most
            assert by == "score" or all(r[2] >= 1 for r in seen if worth == 1)
            assert by == "score" or all(r[3] >= 1 for r in seen if worth == -1)


def game_options(name: str) -> tuple[tuple[str, str], ...]:
    return gamedsl.load(name).program.options


def test_a_line_that_is_shut_can_not_be_made_any_more() -> None:
    """X on a1 and c3, O in the middle: counted by hand."""
    game = gamedsl.load("tic-tac-toe")
    state = game.initial_state()
    assert possible(game, state, "result") == (1, -1, 8, 8)
    for text in ("a1", "b2", "c3"):
        state = state.apply(game.parse_move(text, state))
    assert possible(game, state, "result") == (1, -1, 4, 3)  # X: the four sides; O: the middle row and column, a3-c1


def test_where_nothing_is_told() -> None:
    for name in ("chess", "pig", "kalah"):
        assert outcome_bounds(gamedsl.load(name).program, False) is None
    assert outcome_bounds(gamedsl.load("tic-tac-toe").program, True) is None
    for name, ends in (
        ("m-n-k", True),
        ("hex", True),
        ("dots-and-boxes", True),
        ("breakthrough", False),
        ("reversi", False),
    ):
        program = gamedsl.load(name).program
        assert surely_ends(program, growth(program)) is ends
    assert utility_levels(gamedsl.load("hex").program, False) == [-1, 1]
    assert utility_levels(gamedsl.load("tic-tac-toe").program, False) == [-1, 0, 1]


# --------------------------------------------------------------------------------------------------- limits, refusals


def test_what_is_not_known_is_told_as_bounds() -> None:
    found = by_questions("m-n-k", m=4, n=4, k=4, limit=30_000)
    assert found.bounds[0] in ((-1, 0), (0, 0), (-1, 1))
    assert by_questions("hex", n=4, limit=10).bounds[0] == (-1, 1)


def test_that_the_first_does_not_win_is_told_where_a_loss_is_not_excluded(capsys: pytest.CaptureFixture[str]) -> None:
    start = gamedsl.load("m-n-k", m=4, n=4, k=4).initial_state()
    search = ProofSearch(start, "result", 10**7)
    search.ask(start, 1)
    first = search.positions
    assert search.bounds(start) == (-1, 0)
    arguments = [
        "solve",
        "m-n-k",
        "-s",
        "m=4",
        "-s",
        "n=4",
        "-s",
        "k=4",
        "--method",
        "proof",
        "--limit",
        str(first + 5),
    ]
    assert main(arguments) == 4
    assert "not known; a draw or O wins" in capsys.readouterr().out


def test_refusals(tmp_path: Path) -> None:
    chase = gamedsl.load(written(tmp_path, CHASE.replace("START", "a2"))).initial_state()
    with pytest.raises(gamedsl.UsageError, match="positions repeat"):
        solve(chase, method="proof")
    with pytest.raises(gamedsl.UsageError, match="neither chance"):
        by_questions("pig", target=5)
    with pytest.raises(gamedsl.UsageError, match="no scores"):
        by_questions("tic-tac-toe", by="score")
    with pytest.raises(gamedsl.UsageError, match="does not support these rules"):
        by_questions("chess")


def test_at_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "hex", "-s", "n=3", "--method", "proof"]) == 0
    assert "red wins" in capsys.readouterr().out
    assert main(["solve", "hex", "-s", "n=4", "--method", "proof", "--limit", "5"]) == 4
    assert "not known" in capsys.readouterr().out
    assert main(["solve", "tic-tac-toe", "--from", "a1;b1;a2;b2;a3", "--method", "proof"]) == 0
    assert "X wins\n" in capsys.readouterr().out


# ------------------------------------------------------------------------------------------------- exchangeable sets

OWNED = """game "Owned"

players left, right

board grid 2 by 2 named by letters

piece stone of player

define mine(p: player) = count(stone[p])

move put_it(c: cell) written "{c}"
  when c in empty "taken"
  put stone[me] on {d in cell - (stone[left] | stone[right]): d = c}

play
  turns from left, 4 times
    me plays put_it
    if a1 in READ
      again
  rank by mine
"""


def test_which_sets_are_exchangeable(tmp_path: Path) -> None:
    def found(name: str) -> list[str]:
        return [v.name for v in exchangeable(gamedsl.load(name).program)]

    assert found("dots-and-boxes") == ["box"]
    assert found("m-n-k") == found("hex") == found("reversi") == found("chess") == []
    assert found(written(tmp_path, OWNED.replace("READ", "stone[left] | stone[right]"))) == ["stone"]
    assert found(written(tmp_path, OWNED.replace("READ", "stone[left]"))) == []


@pytest.mark.parametrize("seed", range(6))
def test_positions_that_differ_in_owners_only_go_on_alike(seed: int) -> None:
    """The same moves in both, the same scores at every end of play."""
    game = gamedsl.load("dots-and-boxes", rows=2, columns=2)
    native, rng, state = compile_program(game.program, game), Random(seed), game.initial_state()
    for _ in range(9):
        state = state.apply(state.propose(rng))
    row = np.frombuffer(bytes(native.pack(state, native.context())), dtype=np.uint8).copy()
    canonicalize_owners(row, exchanges(game.program))
    other = native.unpack(row.tobytes(), native.context())
    again = row.copy()
    canonicalize_owners(again, exchanges(game.program))
    assert (again == row).all()
    while not state.is_terminal:
        assert [str(m) for m in state.legal_moves()] == [str(m) for m in other.legal_moves()]
        move = str(state.propose(rng))
        state, other = (s.apply(game.parse_move(move, s)) for s in (state, other))
        assert state.to_act == other.to_act
    assert state.scores == other.scores and state.returns == other.returns
