"""Warnings for names that nothing reads and state that nothing changes: no false alarms."""

from __future__ import annotations

from pathlib import Path

import pytest

from gamedsl.language.rules import check_file
from gamedsl.language.rules.files import shipped

HEAD = """\
players A, B
board grid 2 by 2
state
  n: 0..9
  s: set of 1..9
  h: stack of 0..3 up to 4
  bag: 1..3 -> 0..2 = 1
  m: player -> 0..9
"""
USED = "claim always n + count(s) + height(h) + bag[1] + m[A] >= 0\n"
WRITTEN = "  set n to 0\n  add 1 to s\n  push 1 on h\n  add 1 to m[A]\n  draw from bag -> x\n"


def warned(folder: Path, text: str) -> list[tuple[str, str]]:
    path = folder / "tried.gdl"
    path.write_text(text)
    found = check_file(path)[1]
    assert not [d for d in found if d.is_error], found
    return [(d.code, d.span.text) for d in found]


@pytest.mark.parametrize("path", shipped().values(), ids=lambda p: p.stem)
def test_no_warnings_in_shipped_rulesets(path: Path) -> None:
    assert check_file(path)[1] == []


def test_nothing_reads_and_nothing_writes(tmp_path: Path) -> None:
    play = "play\n  A passes\n{}  draw\n"
    assert warned(tmp_path, HEAD + USED + play.format(WRITTEN)) == []
    assert warned(tmp_path, HEAD + play.format(WRITTEN)) == [("W0911", name) for name in ("n", "s", "h", "m")]
    assert warned(tmp_path, HEAD + USED + play.format("")) == [("W0910", n) for n in ("n", "s", "h", "bag", "m")]


READS = [
    "if more > 1\n    win A",
    "for p in players\n    set n to more",
    "repeat 2 times\n    set n to more",
    "turns from A until more < n or n = 2\n    me passes\n    set n to 2",
    "roll d6 -> r\n  if r > more\n    win A",
    "let other = more\n  set n to other",
    "do_it(more)",
    "phase late\n    if count({x in s: x > more}) = 1\n      win A",
]


@pytest.mark.parametrize("line", READS)
def test_a_name_that_is_read(line: str, tmp_path: Path) -> None:
    head = "players A, B\nstate\n  n: 0..9\n  s: set of 1..9\naction do_it(k: 0..9)\n  set n to k\n  add 1 to s\n"
    head += "claim always n >= count(s) or n < 9\n"
    text = head + f"play\n  A passes\n  do_it(1)\n  let more = min(n, 3)\n  {line}\n  draw\n"
    assert warned(tmp_path, text) == []
    lines = line.replace("more", "2")
    assert warned(tmp_path, text.replace(line, lines)) == [("W0909", "more")]


def test_names_of_a_loop_are_known_in_its_end_and_behind_it(tmp_path: Path) -> None:
    for last in ("  until k > 1\n  draw", "  until n > 1\n  if k = 2\n    win A\n  draw"):
        text = (
            f"players A, B\nstate\n  n: 0..9\nplay\n  repeat\n    roll d6 -> r\n    let k = r\n    set n to r\n{last}\n"
        )
        text += "claim never n = 9\n"
        assert warned(tmp_path, text) == []
