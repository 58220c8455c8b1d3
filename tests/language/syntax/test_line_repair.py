"""The line of a board with a mistake: the message shows the author's line with one edit, and that line is read."""

from __future__ import annotations

import pytest

from gamedsl.language.source import Source
from gamedsl.language.syntax import parse_ruleset

LINES = {
    "board 8 by 8": "board grid 8 by 8",
    "board square 8 by 8": "board grid 8 by 8",
    "board grid 8 8": "board grid 8 by 8",
    "board grid 8 by 8 bottom": "board grid 8 by 8 from bottom",
    "board grid 8 by 8 from the bottom": "board grid 8 by 8 from bottom",
    "board grid 8 by 8 named letters": "board grid 8 by 8 named by letters",
    "board grid 8 by 8 numbered": "board grid 8 by 8 named by numbers",
    "board grid 8 by 8 without a1 and h8": "board grid 8 by 8 without a1, h8",
    "board grid n by n except a1": "board grid n by n without a1",
    "board grid 8 by 8, without a1": "board grid 8 by 8 without a1",
    "board grid 3 by 3 and grid 3 by 3 at 4, 1": "board grid 3 by 3 with grid 3 by 3 at 4, 1",
    "board hexagon 5": "board hex 5",
    "board hex side 5": "board hex 5",
    "board track of 24": "board track 24",
}


@pytest.mark.parametrize("line", LINES)
def test_the_line_is_rewritten(line: str) -> None:
    _, (problem, *_) = parse_ruleset(Source("x", f"players X, O\n{line}\nplay\n  draw\n"))
    assert (problem.code, problem.help) == ("E0101", f"Write `{LINES[line]}`.")
    assert parse_ruleset(Source("x", f"{LINES[line]}\n"))[1] == ()


@pytest.mark.parametrize("line", ["board grid 8 by 8 on a table with legs", "board grid by by"])
def test_no_advice_where_one_edit_is_not_enough(line: str) -> None:
    _, problems = parse_ruleset(Source("x", f"{line}\n"))
    assert problems and not problems[0].help.lower().startswith("write")


def test_how_deep_stands_before_the_equals_sign() -> None:
    line = "define f(n: 0..9) = if n = 0 then 0 else f(n - 1) at most 2 + 3 deep"
    _, (problem,) = parse_ruleset(Source("x", f"{line}\n"))
    cure = "define f(n: 0..9) at most 2 + 3 deep = ..."
    assert (problem.code, problem.help) == ("E0101", f"Put it before the equals sign: `{cure}`.")
    assert parse_ruleset(Source("x", f"{cure.replace('...', 'n')}\n"))[1] == ()


HEADS = {
    "move place to c in empty": (
        "Write `move place(c: cell)` with the type of `c`, and on a line of its own below, `when c in empty`."
    ),
    "move place c in a & b": (
        "Write `move place(c: cell)` with the type of `c`, and on a line of its own below, `when c in a & b`."
    ),
    "action lift c in empty": "Write `action lift(c: cell)` with the type of `c`.",
    "move slide c from d": "Put the parameters in brackets, each with its type: `move slide(c: cell)`.",
    'move jump "over"': "",
}


@pytest.mark.parametrize("line", HEADS)
def test_parameters_without_brackets(line: str) -> None:
    _, (problem, *_) = parse_ruleset(Source("x", f"{line}\n"))
    assert (problem.code, problem.help) == ("E0101", HEADS[line])


def test_each_player_has_pieces_of_a_kind() -> None:
    _, (problem,) = parse_ruleset(Source("x", "piece mark per player\n"))
    assert problem.near == ("of",)
    assert parse_ruleset(Source("x", "piece mark of player\n"))[1] == ()
