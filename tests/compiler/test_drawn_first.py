"""Specialized plays that draw a candidate before they ask its costly conditions: chances, plies, and what is counted."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.compiler import Native
from gamedsl.compiler.analysis.costly_conditions import draws_first
from gamedsl.compiler.transform.pipeline import specialize_for_playouts
from gamedsl.engine import Game, InterpretedGame

from . import small_rulesets as small
from .test_native_counts import exact

BOARD = """players X, O
board grid 3 by 3
piece mark of player
piece wall on edge
type way = {across, up}
state
  passed: 0..2
  touched: cell?
define open(c: cell) = {d in neighbors(c): edge_between(c, d) not in wall}
define beside(c: cell, w: way) = {edge_between(c, d) for d in {step(c, if w = across then north else east)}}
define inner = {b1, a2, c2, b3}
"""
CHAIN = """move chain(c: cell, d: cell)
  when c in empty
  when d in empty & neighbors(c)
  when after this: connected(empty - {d}, {a1}, {c3})
  put mark[me] on c
  set touched to d
  set passed to 0
"""
PLACE = """move place(c: cell)
  when c in empty
  when after this: connected(empty, {a1}, {c3})
  put mark[me] on c
  set passed to 0
"""
LAY = """move lay(c: cell, d: cell)
  when c in empty
  when d in empty & neighbors(c)
  when after this: connected(empty, {a1}, {c3})
  put mark[me] on c
  set touched to d
  set passed to 0
"""
CLAIM = """move claim(c: cell)
  when c in empty & {a1, a2, a3}
  when count(empty) > 6
  put mark[me] on c
  set passed to 0
"""
BUILD = """move build(c: cell, w: way)
  when beside(c, w) != {}
  when beside(c, w) disjoint wall
  when count(wall) < 3 and c in {a1, b1, b2}
  when after this: connected(cell, {a1}, {b2}, open)
  put wall on beside(c, w)
  set passed to 0
"""
ENDED = "      if empty meets {b2}\n        win X\n      win O\n"
STUCK = "play\n  turns from X\n    me plays KINDS\n      stuck\n" + ENDED.replace("      ", "        ")
PASSING = "play\n  turns from X\n    add 1 to passed\n    me plays KINDS\n      may pass\n    if passed = 2\n" + ENDED
FORMS = {
    "one set": BOARD + PLACE + STUCK.replace("KINDS", "place"),
    "a loop": BOARD + LAY + STUCK.replace("KINDS", "lay"),
    "a loop over both": BOARD + CHAIN + STUCK.replace("KINDS", "chain"),
    "several kinds": BOARD + PLACE + LAY + CLAIM + STUCK.replace("KINDS", "lay | claim | place"),
    "passing": BOARD + PLACE + PASSING.replace("KINDS", "place"),
    "a product": BOARD
    + BUILD
    + STUCK.replace("KINDS", "build").replace(
        "empty meets {b2}", "edge_between(a1, b1) in wall or edge_between(b1, b2) in wall"
    ),
}


def game_of(form: str, folder: Path) -> Game:
    program = small.program_of(FORMS[form], folder)
    special = specialize_for_playouts(program)
    assert special is not None and draws_first(special.program)
    return InterpretedGame(program)


@pytest.mark.parametrize("refused", [1, 16])
@pytest.mark.parametrize("form", FORMS)
def test_plays_end_as_often_as_the_tree_says(
    form: str, refused: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a first refusal leads on to a narrower set: late in these plays few candidates are legal."""
    monkeypatch.setattr("gamedsl.compiler.cutoffs.REFUSED_DRAWS", refused)
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    game = game_of(form, tmp_path)
    (utility, _), length = exact(game)
    n = 40_000
    tally = Native(game.program, game).playouts(n, seed=5)
    assert tally.plays == n and tally.unfinished == 0
    share = float(1 + utility) / 2
    assert 0 < share < 1
    assert abs(tally.wins[0] - n * share) < 4.5 * (n * share * (1 - share)) ** 0.5
    spread = sum(k * k * c for k, c in enumerate(tally.lengths)) / n - float(length) ** 2
    assert abs(tally.plies / n - float(length)) <= 4.5 * (spread / n) ** 0.5 + 1e-9
