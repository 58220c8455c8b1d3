"""Closures whose steps lie close to their element: the engine and compiled rules find the same elements."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gamedsl.compiler import Native
from gamedsl.compiler.emit.sets import closures
from gamedsl.compiler.emit.sets.closure_windows import closure_by_windows
from gamedsl.engine import InterpretedGame

from . import small_rulesets as small
from .agree import agree

WALKS = """players X, O
board BOARD
piece bug of player
define gate(a: cell, b: cell) = neighbors(a) & neighbors(b)
define slides(a: cell, hive: set of cell) = {b in neighbors(a) - hive: STEP}
move lay(c: cell)
  when c in empty
  when count(empty) > count(cell) - 12
  put bug[me] on c
move walk(a: cell, b: cell)
  when a in bug[me]
  when b in (reach of slides(c, occupied - {a}) for c from {a}) - {a}
  remove bug[me] from a
  put bug[me] on b
play
  turns from X
    me plays lay | walk
      stuck
        draw
"""
ALONG = "count(gate(a, b) & hive) = 1"
LOOSE = "count(neighbors(a) & hive) < 3 and (count(neighbors(a) & hive) != 2 or neighbors(a) - hive != {b})"
BOARDS = {
    "two words": ("hex 6", ALONG, True),
    "a window across words": ("grid 9 by 16", LOOSE, True),
    "too wide": ("grid 3 by 40", LOOSE, False),
    "one word": ("hex 4", ALONG, False),
}


@pytest.mark.parametrize("case", BOARDS)
def test_bugs_walk_as_far_as_in_the_engine(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board, step, fits = BOARDS[case]
    by_windows: list[bool] = []

    def watched(*args: Any) -> Any:
        found = closure_by_windows(*args)
        by_windows.append(found is not None)
        return found

    monkeypatch.setattr(closures, "closure_by_windows", watched)
    monkeypatch.setenv("GAMEDSL_CACHE", "off")
    game = InterpretedGame(small.program_of(WALKS.replace("BOARD", board).replace("STEP", step), tmp_path))
    agree(game, 1, 14, Native(game.program, game, keep=False))
    assert any(by_windows) == fits
