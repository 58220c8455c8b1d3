"""The greatest and the least of a set that may be empty, and how many moves there are: numbers worked out by hand."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import gamedsl
from gamedsl.engine.stop import codes_of
from tests.language.core.verifier import verify

from .play import after, game, texts

BOARD = """
game "T"
players A, B
board grid 3 by 3
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
"""


def sound(folder: Path, text: str) -> gamedsl.Game:
    g = game(folder, text)
    assert verify(g.program) == []
    return g


def value(g: gamedsl.Game, state: gamedsl.State, name: str = "n") -> int:
    var = g.variable(name)
    assert var is not None
    return int(codes_of(state, var)[0])


def number(folder: Path, expression: str, *moves: str) -> int:
    """What the expression is for A after some marks of A and B."""
    g = sound(
        folder,
        BOARD
        + f"""state
  n: -99..99
  last: 0..9
action ask
  set n to {expression}
play
  turns from A, {len(moves)} times
    me plays place
  ask
  A chooses last
  draw
""".replace("  turns from A, 0 times\n    me plays place\n", ""),
    )
    return value(g, after(g, *moves))


# -------------------------------------------------------------------------------- the greatest, or something else


@pytest.mark.parametrize(
    ("expression", "moves", "wanted"),
    [
        ("max of row(c) for c in mark[A] or 7", (), 7),
        ("max of row(c) for c in mark[A] or 7", ("a2", "a3", "b1"), 2),
        ("min of row(c) for c in mark[A] or -7", (), -7),
        ("min of row(c) for c in mark[A] or -7", ("a2", "a3", "b3"), 2),
        ("max of row(c) for c in mark[A]: column(c) = 2 or 0", ("a3", "b2", "b1"), 1),
        ("max of row(c) for c in mark[A]: column(c) = 3 or 0", ("a3", "b2", "b1"), 0),
        ("max of row(c) for c in mark[A]: (column(c) = 3 or column(c) = 1) or 0", ("a3", "b2", "b1"), 3),
        ("(max of row(c) for c in mark[B] or 0) + 10", ("a3",), 10),
        ("max of row(c) for c in mark[B] or min of row(c) for c in mark[A] or 50", ("a3",), 3),
        ("max of row(c) for c in mark[B] or min of row(c) for c in mark[A] or 50", (), 50),
        ("max of -row(c) for c in {a1, a2} or 50", (), -1),
        ("max of row(a) * 10 + row(b) for (a, b) in step: a in mark[A] and b in mark[B] or 0", ("a1", "a2"), 12),
    ],
)
def test_the_greatest_or_something_else(tmp_path: Path, expression: str, moves: tuple[str, ...], wanted: int) -> None:
    assert number(tmp_path, expression, *moves) == wanted


def test_what_stands_after_or_is_not_worked_out_for_nothing(tmp_path: Path) -> None:
    """The other value fails when it is worked out: no lowest row of B."""
    expression = "max of row(c) for c in mark[A] or min of row(c) for c in mark[B]"
    assert number(tmp_path, expression, "a2") == 2
    with pytest.raises(gamedsl.GameDSLError) as caught:
        number(tmp_path, expression)
    assert caught.value.diagnostics[0].code == "E0510"


def test_without_or_there_is_no_greatest_of_nothing(tmp_path: Path) -> None:
    with pytest.raises(gamedsl.GameDSLError) as caught:
        number(tmp_path, "max of row(c) for c in mark[A]")
    assert caught.value.diagnostics[0].code == "E0510"


@pytest.mark.parametrize(
    ("expression", "code"),
    [
        ("max of row(c) for c in mark[A] or {}", "E0334"),
        ("max of row(c) for c in mark[A]: c = a1 or c = a2", "E0334"),
        ("max of row(c) for c, d in mark[A] or 0", "E0348"),
        ("max of 1 for m in moves(A, place) or 0", "E0347"),
        ("max of c for c in mark[A] or 0", "E0301"),
    ],
)
def test_wrong_ways_to_ask(tmp_path: Path, expression: str, code: str) -> None:
    with pytest.raises(gamedsl.GameDSLError) as caught:
        number(tmp_path, expression)
    assert [d.code for d in caught.value.diagnostics] == [code]


# ------------------------------------------------------------------------------------------------ how many moves


def test_how_many_moves(tmp_path: Path) -> None:
    assert number(tmp_path, "count m in moves(A, place): yes") == 9
    assert number(tmp_path, "count m in moves(B, place): yes", "a1", "b2") == 7
    assert number(tmp_path, "count m in moves(B, place): after m: mark[B] meets {a2, b2}", "a1", "b2") == 7
    assert number(tmp_path, "count m in moves(B, place): after m: mark[B] meets {a2, c2}", "a1", "b2") == 2
    # pairs: 4 corners, each by one move; a1 is taken by A, so every move leaves it A's
    assert number(tmp_path, "count c in {a1, a3, c1, c3}, m in moves(B, place): after m: c in mark[B]", "a1") == 3
    assert number(tmp_path, "sum of (count m in moves(p, place): yes) for p in players", "a1") == 16


FORBIDDING = """
game "T"
players A, B
board grid 3 by 3
piece mark of player
move place(c: cell) written "{c}"
  when c in empty
  put mark[me] on c
move shift(a in mark[me], d: direction) written "{a} {d}"
  when step(a, d) in empty
  move mark[me] from a to step(a, d)
define all_moves(p: player) = count m in moves(p, place | shift): yes
define all_tries(p: player) = count m in attempts(p, place | shift): yes
forbid b2 in mark[me]
state
  legal, tried: player -> 0..99
play
  turns from A
    for p in players
      set legal[p] to all_moves(p)
      set tried[p] to all_tries(p)
    me plays place | shift
      stuck
        draw
"""


def walk(state: gamedsl.State, depth: int) -> Iterator[gamedsl.State]:
    yield state
    if depth and not state.is_terminal:
        for move in list(state.legal_moves())[::3]:
            yield from walk(state.apply(move), depth - 1)


def test_moves_counted_are_the_legal_moves(tmp_path: Path) -> None:
    """The rules' own count of the mover's moves and the engine's list agree; the centre is forbidden, not untried."""
    g = sound(tmp_path, FORBIDDING)
    seen = 0
    for state in walk(g.initial_state(), 3):
        legal, tried = (codes_of(state, v) for v in (g.variable("legal"), g.variable("tried")) if v is not None)
        me = state.current_player
        assert legal[me] == len(texts(state))
        assert tried[me] >= legal[me] + 1  # at least the centre itself
        seen += 1
    assert seen > 30


def test_counting_in_a_guard_of_another_move(tmp_path: Path) -> None:
    """Mobility: `rest` is open to whoever has fewer moves than three."""
    g = sound(
        tmp_path,
        BOARD
        + """state
  done: bool
move rest
  when (count m in moves(me, place): yes) < 3
  set done to yes
play
  turns from A
    me plays place | rest
    if done
      win me
""",
    )
    cells = ("a1", "a2", "a3", "b1", "b2", "b3")
    assert "rest" not in texts(after(g, *cells))
    assert "rest" in texts(after(g, *cells, "c1"))
