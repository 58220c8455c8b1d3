"""``turn`` before the first turns of a play is refused; behind them and inside them it is not."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.language.rules import check_file

HEAD = "players X, O\n\nstate\n  stock: 0..4 = 4\n\nmove lift\n  take 1 from stock\n\nplay\n"
RUN = "  turns from O until stock = 0\n    me plays lift\n"
DEEPER = "    turns from O until stock = 0\n      me plays lift\n"


@pytest.mark.parametrize(
    ("body", "is_refused"),
    [
        (f"  if turn = 1\n    take 1 from stock\n{RUN}", True),
        (f"  phase one\n    if turn = 1\n      take 1 from stock\n{DEEPER}", True),
        (f"{RUN}  if turn = 1\n    win X\n", False),
        (f"{RUN}    if turn = 1 and stock > 0\n      take 1 from stock\n", False),
        (f"  repeat 2 times\n    if turn = 2\n      win O\n{DEEPER}", False),
    ],
)
def test_turn_needs_turns_before_it(tmp_path: Path, body: str, is_refused: bool) -> None:
    path = tmp_path / "early.gdl"
    path.write_text(f"{HEAD}{body}  draw\n")
    _, found = check_file(path)
    assert [d.code for d in found if d.is_error] == (["E0230"] if is_refused else [])


THROUGH = """players X, O

state
  stock: 0..4 = 4

define late = turn > 2

action shrink
  if late
    take 1 from stock

move lift
  when turn > 1 "not yet"
  take 1 from stock

move pick
  take 1 from stock

play
  {first}
  turns from O until stock = 0
    me plays lift | pick
      stuck
        shrink
  draw
"""


@pytest.mark.parametrize(("first", "line"), [("shrink", 6), ("X plays lift", 13), ("X plays pick", 0)])
def test_what_is_reached_before_turns_does_not_ask_for_them(tmp_path: Path, first: str, line: int) -> None:
    path = tmp_path / "early.gdl"
    path.write_text(THROUGH.format(first=first))
    _, found = check_file(path)
    errors = [d for d in found if d.is_error]
    assert [(d.code, d.span.line) for d in errors] == ([("E0230", line)] if line else [])
    assert all(label.span.line == 20 for d in errors for label in d.labels)
