"""Constant tables and tuples: what they hold, how they are looked up, and that both backends agree."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

import gamedsl
from gamedsl.lab.symmetry.symmetries import symmetries
from gamedsl.language.rules import check_file, load_program
from tests.values import codes_named

from .play import after, game, texts

HEAD = """
game "T"
players A, B
type animal = {hare, frog, heron}
board grid 3 by 3 named by letters from bottom
piece man of player
"""
CHOICE = """
play
  turns from A
    me plays pick
    if turn > 3
      draw
"""


def picks(folder: Path, table: str, over: str, condition: str) -> list[str]:
    """The elements of a set for which a condition over a table holds, asked by a move."""
    move = f'move pick(x in {over}) written "{{x}}"\n  when {condition}\n'
    return texts(after(game(folder, HEAD + dedent(table) + move + CHOICE)))


PAIRS = "table t: animal -> (-1..1, animal)\n  hare: (1, frog)\n  frog: (-1, hare)\n  heron: (0, hare)\n"
TUPLES = "table t: animal -> set of (-2..2, -2..2)\n  hare: (0, 2), (0, -1)\n  frog: (-1, 1)\n  heron: {}\n"
KEYS = "table t: animal -> player -> 0..9\n  hare: 3, 4\n  frog, A: 1\n  frog, B: 7\n  else: 5\n"
CELLS = "table t: animal -> set of cell\n  hare: a1, c3\n  frog: {}\n  heron: top_row, a1\n"


@pytest.mark.parametrize(
    ("table", "condition", "expected"),
    [
        ("table t: animal -> 0..9\n  hare: 3\n  frog: 1\n  heron: 4\n", "t[x] > 2", ["hare", "heron"]),
        ("table t: animal -> bool\n  hare: yes\n  else: no\n", "t[x]", ["hare"]),
        ("table t: animal -> animal\n  hare: frog\n  frog: heron\n  heron: hare\n", "t[t[x]] = frog", ["heron"]),
        ("table t: animal -> cell?\n  hare: none\n  else: center\n", "t[x] is some and t[x] = b2", ["frog", "heron"]),
        (CELLS, "a1 in t[x] and count(t[x]) = 4", ["heron"]),
        ("table t: animal -> set of 1..9\n  hare: 1, 2\n  frog: 2..4\n  heron: 9\n", "3 in t[x] or 9 in t[x]", ["frog", "heron"]),
        (PAIRS, "t[x] = (-1, hare)", ["frog"]),
        (TUPLES, "some (i, j) in t[x]: i + j = 0 or j < 0", ["hare", "frog"]),
        (KEYS, "t[x, B] > 4 and t[x][A] > 4", ["heron"]),
        ("table t: animal -> 1..9\n  {hare, heron}: 2 + 3\n  frog: 1\n", "t[x] = 5", ["hare", "heron"]),
        ("table t: animal -> 0..9\n  hare: u[frog]\n  else: 0\ntable u: animal -> 0..9\n  else: 6\n", "t[x] = u[x]", ["hare"]),
    ],
)  # fmt: skip
def test_what_a_table_holds(tmp_path: Path, table: str, condition: str, expected: list[str]) -> None:
    assert picks(tmp_path, table, "animal", condition) == expected


STEPS = """
table steps: animal -> set of (-2..2, -2..2)
  hare:  (0, 2), (0, -1)
  frog:  (-1, 1), (1, 1)
  heron: (2, 0), (-2, 0), (0, 1)
"""


def test_a_table_is_used_backward(tmp_path: Path) -> None:
    assert picks(tmp_path, STEPS, "animal", "x in {a in animal: (0, 1) in steps[a] or (1, 1) in steps[a]}") == [
        "frog",
        "heron",
    ]


def test_a_tuple_outside_the_ranges_is_in_no_set(tmp_path: Path) -> None:
    """From a1 the differences go up to 2; from the double of them only those of the table are left."""
    found = picks(tmp_path, STEPS, "cell", "(2 * (column(x) - column(a1)), 3 * (row(x) - row(a1))) in steps[heron]")
    assert found == ["b1"]


def test_tuples_are_taken_apart_in_effects(tmp_path: Path) -> None:
    """The hare's tuples, by hand: 0 + 0 and 2 - 1."""
    rules = """
state
  right, ahead: -9..9
move walk
  for (i, j) in steps[hare]
    add i to right
    add j to ahead
move stay
play
  turns from A
    me plays walk | stay
    if ahead > 5
      draw
"""
    state = after(game(tmp_path, HEAD + STEPS + rules), "walk", "walk")
    assert codes_named(state, "right") + codes_named(state, "ahead") == [0, 2]


def test_tuples_of_numbers_without_a_declared_type(tmp_path: Path) -> None:
    assert picks(tmp_path, STEPS, "cell", "(column(x), row(x)) in {(1, 2), (3, 3), (3, 1)}") == ["c1", "a2", "c3"]


CARDS = """
type rank = 1..3
type suit = {red, black}
type card = (rank, suit)
"""


def test_a_product_type_is_a_type_of_its_own(tmp_path: Path) -> None:
    """Variables, parameters, keys and sets of it."""
    rules = """
state
  top: card = (2, red)
  held: set of card = {(1, red), (1, black)}
  marks: card -> 0..5
move lay(k: card) written "{k}"
  when (some (r, s) in {k}: some (q, t) in {top}: r = q or s = t)
  set top to k
  add k to held
  add 1 to marks[k]
play
  turns from A
    me plays lay
    if count(held) > 4
      draw
"""
    g = game(tmp_path, HEAD + CARDS + rules)
    assert texts(g.initial_state()) == ["(1, red)", "(2, red)", "(2, black)", "(3, red)"]
    state = after(g, "(2, black)", "(3, black)")
    assert texts(state) == ["(1, black)", "(2, black)", "(3, red)", "(3, black)"]


def test_a_part_sees_the_tables_around_it(tmp_path: Path) -> None:
    rules = """
table worth: animal -> 0..9
  hare: 3
  else: 1
part inner
  players C, D
  move pick(x in animal) written "{x}"
    when worth[x] > 2
  play
    turns from C
      me plays pick
      draw
play
  play inner with C = A, D = B
  draw
"""
    assert texts(after(game(tmp_path, HEAD + rules))) == ["hare"]


def test_a_variant_replaces_a_table(tmp_path: Path) -> None:
    table = "table t: animal -> 0..9\n  hare: 3\n  else: 0\n"
    move = 'move pick(x in animal) written "{x}"\n  when t[x] > 2\n'
    (tmp_path / "base.gdl").write_text(HEAD + table + move + CHOICE, encoding="utf-8")
    variant = 'variant of "base.gdl"\n\ntable t: animal -> 0..9\n  frog: 5\n  else: 1\n'
    assert texts(after(game(tmp_path, variant))) == ["frog"]


MIRRORED = """
move step(a: animal, x: cell, y: cell) written "{a} {x}-{y}"
  when y in empty
  when (column(y) - column(x), row(y) - row(x)) in steps[a]
  put man[me] on y
play
  turns from A
    me plays step
      stuck
        draw
    if some l in lines(3): l within man[me]
      win me
"""


@pytest.mark.parametrize(("row", "count"), [("(-1, 1), (1, 1)", 1), ("(-1, 1), (1, 0)", 0)])
def test_a_table_may_break_symmetries(tmp_path: Path, row: str, count: int) -> None:
    """Left and right are alike as long as the table has both, or neither."""
    path = tmp_path / "x.gdl"
    path.write_text(HEAD + STEPS.replace("(-1, 1), (1, 1)", row) + MIRRORED, encoding="utf-8")
    assert len(symmetries(load_program(path), seats=False)) == count


def test_both_backends_agree(tmp_path: Path) -> None:
    path = tmp_path / "x.gdl"
    path.write_text(HEAD + STEPS + MIRRORED, encoding="utf-8")
    both = [gamedsl.load(path, backend=b) for b in ("interpreter", "native")]
    states = [g.initial_state() for g in both]
    while not states[0].is_terminal:
        moves = [[str(m) for m in s.legal_moves()] for s in states]
        assert moves[0] == moves[1]
        states = [s.apply(s.legal_moves()[len(moves[0]) // 2]) for s in states]
    assert states[1].is_terminal


def test_no_branches_but_a_constant_array(tmp_path: Path) -> None:
    """A lookup stays one node of the Core."""
    path = tmp_path / "x.gdl"
    path.write_text(HEAD + STEPS + MIRRORED, encoding="utf-8")
    from gamedsl.language.core.core_printer import print_core

    text = print_core(load_program(path))
    assert "steps({hare, frog, heron}): set of (-2..2, -2..2) =" in text


@pytest.mark.parametrize(
    ("statement", "code"),
    [("set t[hare] to 3", "E0405"), ("set t to 3", "E0405"), ("add 1 to t[hare]", "E0405"), ("push 1 on t[hare]", "E0367")],
)  # fmt: skip
def test_a_table_is_not_changed(tmp_path: Path, statement: str, code: str) -> None:
    path = tmp_path / "x.gdl"
    table = "table t: animal -> 0..9\n  hare: 3\n  else: 0\n"
    move = f"move pick\n  when t[frog] = 0\n  {statement}\n"
    path.write_text(HEAD + table + move + CHOICE, encoding="utf-8")
    _, found = check_file(path)
    assert code in [d.code for d in found if d.is_error]


ROOM = """
game "T"
players A, B
type trail = (spot, 0..1)
type spot = (cell, port)
type port = 0..3
board grid 2 by 2 named by letters from bottom
state
  at: player -> spot
  been: set of spot
define beyond(c: cell, k: port) = {(d, (k + 1) mod 4) for d in {step(c, east)}: k < 3}
move go(k: port) written "{k}"
  add {(c, k) for c in top_row} to been
  add beyond(a1, k) to been
play
  turns from A
    me plays go
    if turn > 2
      draw
"""


def test_types_of_the_board(tmp_path: Path) -> None:
    """A named type of cells stands before the board and before the types that it is made of."""
    state = after(game(tmp_path, ROOM.replace("type trail = (spot, 0..1)\n", "")), "2")
    names = dict(zip(state.game.program.parts[0].board.domains["cell"].names, range(4), strict=True))  # type: ignore[union-attr]
    spots = {(names[c], k) for c, k in [("a2", 2), ("b2", 2), ("b1", 3)]}
    (been,) = codes_named(state, "been")
    assert been == sum(1 << 4 * c + k for c, k in spots)


def test_a_type_before_its_parts(tmp_path: Path) -> None:
    path = tmp_path / "t.gdl"
    path.write_text(ROOM, encoding="utf-8")
    assert [d.code for d in check_file(path)[1]] == ["E0341"]


def test_types_of_a_board_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "t.gdl"
    path.write_text("\n".join(x for x in ROOM.splitlines() if "board" not in x and "trail" not in x), encoding="utf-8")
    assert "E0342" in [d.code for d in check_file(path)[1]]
