"""Boards by condition: the cells that are left, computed by hand from rows and columns."""

from __future__ import annotations

from pathlib import Path
from string import ascii_lowercase

import pytest

import gamedsl
from gamedsl.language.rules import check_file

from .play import game, texts

RULES = """
players X, O
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
play
  turns from X
    me plays place
      stuck
        lose me
"""
# the three-seat star as an author had to write it: 44 cells of a rhombus, one by one
CUT = """a1, b1, c1, d1, e1, f1, h1, i1, a2, b2, c2, d2, e2, h2, i2, a3, b3, a4, b4, i4, a5, b5, h5, i5, a6, h6, i6, h7,
    i7, a8, b8, e8, f8, g8, h8, i8, a9, b9, d9, e9, f9, g9, h9, i9"""


def cells(folder: Path, board: str, more: str = "") -> list[str]:
    """The cells of a board."""
    return texts(game(folder, f"{more}{board}{RULES}").initial_state())


def grid(rows: int, columns: int, keep: object) -> list[str]:
    """The names of those cells of a grid that a function of row and column keeps."""
    assert callable(keep)
    return [f"{ascii_lowercase[c - 1]}{r}" for r in range(1, rows + 1) for c in range(1, columns + 1) if keep(r, c)]


def test_a_condition_says_which_cells_go(tmp_path: Path) -> None:
    found = cells(tmp_path, "board grid 4 by 5 without {c in cell: row(c) >= column(c)}")
    assert found == grid(4, 5, lambda r, c: r < c)


def test_names_sets_and_conditions_together(tmp_path: Path) -> None:
    found = cells(tmp_path, "board grid 5 by 5 without b2, rim, {c in cell: row(c) = 4}")
    assert found == grid(5, 5, lambda r, c: 1 < r < 4 and 1 < c < 5 and (r, c) != (2, 2))


def test_what_is_cut_is_judged_on_the_uncut_board(tmp_path: Path) -> None:
    """Were the rim cut first, the next ring would be the rim."""
    found = cells(tmp_path, "board grid 5 by 5 without rim, {c in cell: count(neighbors(c)) < 4}")
    assert found == grid(5, 5, lambda r, c: 1 < r < 5 and 1 < c < 5)


@pytest.mark.parametrize("n", [2, 3, 5])
def test_options_and_definitions(tmp_path: Path, n: int) -> None:
    more = """option n: 2..5 = 3 "side"
define away(c: cell) = abs(row(c) - n) + abs(column(c) - n)
define far(c: cell) = away(c) >= n
"""
    board = "board grid 2 * n - 1 by 2 * n - 1 without {c in cell: far(c)}"
    assert check_file(written(tmp_path, more + board))[1] == []
    found = texts(gamedsl.load(written(tmp_path, more + board), n=n).initial_state())
    assert found == grid(2 * n - 1, 2 * n - 1, lambda r, c: abs(r - n) + abs(c - n) < n)


def written(folder: Path, head: str) -> Path:
    path = folder / "ruleset.gdl"
    path.write_text(head + RULES, encoding="utf-8")
    return path


def test_definitions_mean_the_cut_board_in_play(tmp_path: Path) -> None:
    """The same definition is asked of the joined shapes for the board, and of the board that is left in play."""
    rules = """
    players X, O
    board grid 3 by 3 without {c in cell: many(c)}
    piece mark of player
    define many(c: cell) = count(neighbors(c)) = 4
    move place(c: cell) written "{c}"
      when c in empty
      when not many(c) and count(neighbors(c)) = 2
      put mark[me] on c
    play
      turns from X
        me plays place
          stuck
            lose me
    """
    assert texts(game(tmp_path, rules).initial_state()) == grid(3, 3, lambda r, c: (r, c) != (2, 2))


def test_a_star_is_the_rhombus_without_44_cells(tmp_path: Path) -> None:
    assert cells(tmp_path, "board hex star 2 from top") == cells(tmp_path, f"board hex 9 by 9 without {CUT} from top")


def test_a_name_that_is_also_a_variable_of_the_condition(tmp_path: Path) -> None:
    """The condition's own name hides the state variable of that name."""
    rules = """
    players X, O
    board grid 3 by 3 without {c in cell: row(c) = 2}
    state
      c: 0..1
    move go written "go"
      set c to 1
    play
      turns from X
        me plays go
        if c = 1
          win me
    """
    assert texts(game(tmp_path, rules).initial_state()) == ["go"]


def test_an_option_may_be_called_star(tmp_path: Path) -> None:
    more = "option star: 2..3 = 2\n"
    assert len(cells(tmp_path, "board hex star", more)) == 7
    assert len(cells(tmp_path, "board hex star by 4", more)) == 8
    assert len(cells(tmp_path, "board hex star star", more)) == 37
    assert len(cells(tmp_path, "board hex star + 1 without center", more)) == 18


@pytest.mark.parametrize(
    "board",
    [
        "board grid 3 by 4 without a1 named by letters from top",
        "board grid 3 by 4 from top without a1 named by letters",
        "board grid 3 by 4 named by letters from top without a1",
    ],
)
def test_the_order_of_clauses_is_free(tmp_path: Path, board: str) -> None:
    assert cells(tmp_path, board) == grid(3, 4, lambda r, c: (r, c) != (1, 1))


def test_shapes_may_be_joined_late(tmp_path: Path) -> None:
    late = cells(tmp_path, "board grid 2 by 2 without a1 with grid 2 by 2 at 3, 1")
    assert late == cells(tmp_path, "board grid 4 by 2 without a1")


@pytest.mark.parametrize(
    ("board", "code"),
    [
        ("board grid 3 by 3 from top from bottom", "E0127"),
        ("board grid 3 by 3 without a1 named by letters without a2", "E0127"),
        ("board grid 3 by 3 without z9", "E0220"),
        ("board grid 3 by 3 without empty", "E0336"),
        ("board grid 3 by 3 without {c in cell: mine(c)}\ndefine mine(c: cell) = c in mark[X]", "E0336"),
        ("board grid 3 by 3 without me", "E0336"),
        ("board grid 3 by 3 without cell", "E0337"),
        ("board grid 3 by 3 without {c in cell: row(c) div 0 = 1}", "E0321"),
        ("board grid 3 by 3 without {c in cell: row(step(c, n)) = 1}", "E0338"),
        ("board grid 3 by 3 without rows", "E0301"),
        ("board grid 3 by 3 without 3", "E0301"),
        ("board grid 32 by 32 without {c in cell: some d, e in cell: distance(c, d) = distance(c, e)}", "E0461"),
    ],
)
def test_what_is_refused(tmp_path: Path, board: str, code: str) -> None:
    found = check_file(written(tmp_path, board))[1]
    assert [d.code for d in found] == [code]


@pytest.mark.parametrize(
    ("line", "cure"),
    [
        ("board grid 3 x 5", "Write `3 by 5`."),
        ("board star 3", "Write `board hex star 3`."),
        ("board grid 3 by 3 without c in cell: row(c) = 2", "Put a condition in braces: `without {c in cell: ...}`."),
    ],
)
def test_a_wrong_line_shows_its_cure(tmp_path: Path, line: str, cure: str) -> None:
    found = check_file(written(tmp_path, line))[1]
    assert [(d.code, d.help) for d in found] == [("E0101", cure)]
