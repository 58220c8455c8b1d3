"""What a part of a ruleset sees of the ruleset around it, and what its own declarations hide."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import pytest

import gamedsl
from tests.language.core.verifier import verify

from .play import after, game, texts

OUTER = """
game "T"
players A, B
board grid 3 by 3
option top: 1..9 = 2
type side = {left, right}
piece mark of player
play
  put mark[A] on a1
  play q with C = B, D = A -> r
  if r.winner is some
    win r.winner
  draw
part q
  players C, D
"""


def sound(folder: Path, text: str) -> gamedsl.Game:
    g = game(folder, text)
    assert verify(g.program) == []
    return g


def test_a_part_with_a_board_of_its_own(tmp_path: Path) -> None:
    """`cell`, `a1` and `rim` are its own board's: a hexagon of 7 cells in a square of 9."""
    g = sound(
        tmp_path,
        OUTER
        + """  board hex 2
  piece disc of player
  move lay(c: cell) written "{c}"
    when c in empty and c != b2
    put disc[me] on c
  play
    turns from C, 2 times
      me plays lay
    if {c in cell: c in occupied} = {a2, b1} and count(cell) = 7
      win D
    win C
""",
    )
    state = g.initial_state()
    assert len(texts(state)) == 6
    assert after(g, "a2", "b1").returns == (Fraction(1), Fraction(-1))
    assert after(g, "a2", "a3").returns == (Fraction(-1), Fraction(1))


def test_a_part_without_a_board_sees_the_types_around_it(tmp_path: Path) -> None:
    g = sound(
        tmp_path,
        OUTER
        + """  state
    spot: cell
    half: side
  play
    C chooses spot
    D chooses half from {right}
    if spot = b2 and half = right and top = 2
      win C
    win D
""",
    )
    assert len(texts(g.initial_state())) == 9
    assert after(g, "b2", "right").returns == (Fraction(-1), Fraction(1))
    assert after(g, "c3", "right").returns == (Fraction(1), Fraction(-1))


@pytest.mark.parametrize("word", ["c3", "direction", "north"])
def test_the_board_around_is_hidden_wholly(tmp_path: Path, word: str) -> None:
    """A graph has no directions and no c3; those of the grid around it are none of its."""
    with pytest.raises(gamedsl.GameDSLError) as caught:
        game(
            tmp_path,
            OUTER
            + f"  board graph\n    nodes u, v\n    u to v\n  play\n    if {word} = {word}\n      draw\n    draw\n",
        )
    assert [d.code for d in caught.value.diagnostics] == ["E0201"]


def test_a_player_of_the_part_hides_one_of_the_same_name(tmp_path: Path) -> None:
    """`A` is the part's first player, whoever plays him."""
    g = sound(
        tmp_path,
        """
game "T"
players A, B, C
play
  play q with A = C, X = B -> r
  if r.winner is some
    win r.winner
  draw
part q
  players A, X
  play
    let first = A
    win first
""",
    )
    assert after(g).winners == {2}
