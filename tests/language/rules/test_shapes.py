"""Shapes and their placings in rules: which moves there are, and neighbours of sets."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler import compile_program
from gamedsl.engine.perft_counts import perft
from gamedsl.language.rules import check_file
from tests.language.core.verifier import verify

from .play import after, game, texts

HEAD = """
players red, blue
board grid 3 by 3 from top
shape two = "XX"
shape ell = "XX/X."
piece square of player
state
  left: player -> set of shape
"""
PLAY = """
  put square[me] on p
play
  for q in players
    set left[q] to shape
  turns from red
    me plays lay
      stuck
        lose me
"""
LAY = """
move lay(s: shape, p in placings(s)) written "{s} {p}"
  when s in left[me] "laid"
  when p within empty "taken"
  when neighbors(p) disjoint square[me] "side"
  take s from left[me]"""


def moves(folder: Path, head: str, *played: str) -> list[str]:
    g = game(folder, f"{HEAD}{head}{PLAY}")
    assert verify(g.program) == []
    return texts(after(g, *played))


def test_every_placing_is_a_move(tmp_path: Path) -> None:
    found = moves(tmp_path, LAY)
    assert len(found) == 12 + 16 and found[0] == "two a1+b1" and "ell a1+b1+a2" in found


def test_a_shape_is_laid_once_and_not_beside_its_own(tmp_path: Path) -> None:
    found = moves(tmp_path, LAY, "two a1+b1", "two a3+b3")
    assert found == ["ell c2+b3+c3"] or found == []
    assert moves(tmp_path, LAY, "two a1+a2", "ell c1+b2+c2") == []


@pytest.mark.parametrize(
    ("source", "count"),
    [
        ("placings(ell)", 16),
        ("placings({two, ell})", 28),
        ("placings(shape)", 28),
        ("placing", 28),
        ("placings(shape - {two})", 16),
        ("placings(ell, fixed)", 4),
        ("placings(ell, one_sided)", 16),
        ("placings(left[me])", 28),
        ("{p in placing: shape(p) = two}", 12),
        ("{p in placings(ell): the({c in cell: row(c) = 2 and column(c) = 2}) in p}", 12),
    ],
)
def test_what_placings_range_over(tmp_path: Path, source: str, count: int) -> None:
    head = f'move lay(p in {source}) written "{{p}}"\n  when p within empty'
    assert len(moves(tmp_path, head)) == count


@pytest.mark.parametrize(
    ("how", "cells"),
    [
        ("neighbors(p)", "a1 b1 c1 a2 b2"),
        ("neighbors(p, side)", "a1 b1 c1 a2 b2"),
        ("neighbors(p, corner)", "a2 b2 c2"),
        ("neighbors(p, any)", "a1 b1 c1 a2 b2 c2"),
        ("neighbors(p) - p", "c1 a2 b2"),
        ("neighbors(p | {}, corner)", "a2 b2 c2"),
    ],
)
def test_neighbors_of_a_placing(tmp_path: Path, how: str, cells: str) -> None:
    """Of a1 and b1 in the corner: as of any other set of cells."""
    head = f'move lay(p in placings(two), c: cell) written "{{p}} {{c}}"\n  when c in {how}'
    found = [m.split()[1] for m in moves(tmp_path, head) if m.startswith("a1+b1")]
    assert " ".join(found) == cells


def test_neighbors_of_other_families_too(tmp_path: Path) -> None:
    head = 'move lay(p in rows, c: cell) written "{p} {c}"\n  when c in neighbors(p, corner)'
    assert len(moves(tmp_path, head)) == 3 + 6 + 3


def test_the_size_of_a_shape(tmp_path: Path) -> None:
    head = 'move lay(p in placings(shape)) written "{p}"\n  when count(shape(p)) = 3'
    assert len(moves(tmp_path, head)) == 16


def test_the_authors_own_names_come_first(tmp_path: Path) -> None:
    rules = """
    players red, blue
    type shape = {round, square}
    state
      last: shape
    move take_up(s: shape) written "{s}"
      when s != last
      set last to s
    play
      turns from red until last = square
        me plays take_up
      draw
    """
    assert texts(game(tmp_path, rules).initial_state()) == ["square"]


def test_as_in_machine_code(tmp_path: Path) -> None:
    g = game(tmp_path, f"{HEAD}{LAY}{PLAY}")

    compiled = compile_program(g.program)
    for depth in (1, 2, 3, 4):
        assert compiled.perft(g.initial_state(), depth) == perft(g.initial_state(), depth)


@pytest.mark.parametrize(
    ("head", "code"),
    [
        ('shape two = "XX/X"', "E0221"),
        ('shape two = "XX"\nshape two = "X"', "E0202"),
        ('shape two = "XXXX"', "E0360"),
        ('shape two = "XX"\ndefine f(p: placing) = p within placings(two)', "E0319"),
        ('shape two = "XX"\ndefine f(c: cell) = c in placings(tvo)', "E0201"),
        ('shape two = "XX"\ndefine f(c: cell) = placings(c) = {}', "E0301"),
        ('shape two = "XX"\ndefine f(s: shape) = placings(s, turned) = {}', "E0224"),
        ('shape two = "XX"\ndefine f(s: shape) = placings(s, one_side) = {}', "E0224"),
    ],
)
def test_what_is_refused(tmp_path: Path, head: str, code: str) -> None:
    path = tmp_path / "ruleset.gdl"
    path.write_text(f"players X, O\nboard grid 3 by 3\n{head}\nplay\n  draw\n", encoding="utf-8")
    assert code in [d.code for d in check_file(path)[1]]
