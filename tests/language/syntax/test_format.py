"""The formatter: laws over generated trees and over real texts, and goldens."""

from __future__ import annotations

import dataclasses
import random
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings

from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.parser import parse_expression, parse_ruleset, parse_text
from gamedsl.language.syntax.print.layout import BREAK, WIDTH, broken
from gamedsl.language.syntax.print.printer import format_expression, format_ruleset
from tests.strategies import expressions, rulesets

GOLDEN = Path(__file__).parent / "golden"
OURS = sorted(GOLDEN.glob("*.gdl"))
FILES = [*sorted(resource_path("rulesets").glob("*.gdl")), *OURS]


def without_gaps(value: Any) -> Any:
    """A tree in which no empty lines are noted: the formatter has the last word about some of them."""
    if isinstance(value, tuple):
        return tuple(without_gaps(item) for item in value)
    if isinstance(value, ast.Notes):
        return dataclasses.replace(value, gap=False)
    if isinstance(value, ast.Node):
        kept = {f.name: without_gaps(getattr(value, f.name)) for f in dataclasses.fields(value) if f.name != "span"}
        return dataclasses.replace(value, **kept)
    return value


@settings(max_examples=200, deadline=None)
@given(expressions())
def test_expressions_are_read_as_they_were_written(tree: ast.Expr) -> None:
    assert parse_expression(format_expression(tree)) == tree


@settings(max_examples=150, deadline=None)
@given(rulesets())
def test_rulesets_are_read_as_they_were_written(tree: ast.Ruleset) -> None:
    text = format_ruleset(tree)
    again, problems = parse_ruleset(Source("x", text))
    assert problems == ()
    assert without_gaps(again) == without_gaps(tree)
    # What has been read once, gaps and all, is stable.
    assert format_ruleset(again) == text
    assert parse_text(text) == again


def test_a_leg_whose_number_begins_a_quantifier_is_in_brackets() -> None:
    """``count a, b`` would begin a count over two names."""
    tree = parse_expression("f((count) a, b)")
    assert format_expression(tree) == "f((count) a, b)"


def test_a_condition_of_a_notation_ends_before_the_comma() -> None:
    tree = parse_text('notation a\n  text "x" if (some c in cell: (union of {c} for c in cell) = {}), "y"\n')
    text = format_ruleset(tree)
    assert parse_text(text) == tree
    once = parse_text('notation a\n  text "x" if (union of {c} for c in cell), "y"\n')
    assert '(union of {c} for c in cell), "y"' in format_ruleset(once)


def test_long_lines_are_broken_after_what_binds_most_loosely() -> None:
    one = "(" + " + ".join(f"first_{i}" for i in range(3)) + ")"
    lines = format_ruleset(
        parse_text(f"define all = p disjoint {one} and q disjoint {one} or r disjoint {one}\n")
    ).splitlines()
    assert [line.split()[-1] for line in lines[:-1]] == ["or"] * (len(lines) - 1) and len(lines) == 2


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_formatting_twice_is_formatting_once(path: Path) -> None:
    tree = parse_text(path.read_text(encoding="utf-8"))
    text = format_ruleset(tree)
    assert parse_text(text) == tree
    assert format_ruleset(parse_text(text)) == text


def asides(text: str) -> Counter[str]:
    """The comments and citations of a text, found without the parser."""
    bare = re.sub(r'"(?:[^"\\]|\\.)*"', '""', text)
    comments = [c.strip() for c in re.findall(r"#(.*)", bare)]
    return Counter(comments + re.findall(r"@[\w.()-]+", re.sub(r"#.*", "", bare)))


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
def test_no_comment_and_no_citation_is_lost(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert asides(format_ruleset(parse_text(text))) == asides(text)


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.name)
@pytest.mark.parametrize("seed", range(4))
def test_comments_anywhere_survive(path: Path, seed: int) -> None:
    """Comments strewn between all lines and behind them, also of statements over several lines."""
    rng = random.Random(seed)
    lines: list[str] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        if rng.random() < 0.3:
            lines.append(" " * rng.randrange(6) + f"# before {number}")
        lines.append(f"{line}  # behind {number}" if "#" not in line and rng.random() < 0.3 else line)
    text = "\n".join(lines)
    tree = parse_text(text)
    assert asides(format_ruleset(tree)) == asides(text)
    assert parse_text(format_ruleset(tree)) == tree


@pytest.mark.parametrize("path", OURS, ids=lambda p: p.name)
def test_the_canonical_form(path: Path, golden: Callable[[Path, str], None]) -> None:
    golden(path.with_suffix(".fmt"), format_ruleset(parse_text(path.read_text(encoding="utf-8"))))


def test_an_empty_ruleset_is_an_empty_text() -> None:
    assert format_ruleset(parse_text("\n\n")) == ""


def test_citations_stand_in_their_column() -> None:
    text = format_ruleset(parse_text(f"players a @1 # one\nplayers {'b' * 66}  @2\nplayers {'c' * 75} @3"))
    columns = [line.index("@") + 1 for line in text.splitlines()]
    assert columns == [81, 81, 8 + 75 + 3]
    assert text.splitlines()[0].endswith("@1  # one")


def test_long_lines_are_broken_outside_brackets_if_they_can_be() -> None:
    condition = " and ".join(f"linked(first_{i}, second_{i})" for i in range(8))
    lines = format_ruleset(parse_text(f"define all = {condition}\n")).splitlines()
    assert len(lines) > 1
    assert all(len(line) <= WIDTH for line in lines)
    assert all(line.endswith(" and") for line in lines[:-1])
    assert all(line.startswith("    linked(") for line in lines[1:])


def test_what_cannot_be_broken_stays_long() -> None:
    assert list(broken("x" * 300, 0)) == ["x" * 300]
    assert list(broken("x" * 300 + BREAK + "y", 0)) == ["x" * 300, "    y"]


@pytest.mark.parametrize(
    "text",
    [
        "(a or b) and c",
        "a - (b - c)",
        "-(a + b)",
        "(a = b) = c",
        "not (a or b)",
        "(not a) = b",
        "(some x in s: a) or b",
        "a or some x in s: b or c",
        "f((sum of a for x in s), b)",
        "f(a, sum of b for x in s)",
        "{(max of a for x in s: a or (min of b for y in t)), c}",
        "(if a then b else c).d",
        "some x in (if a then b else c): d",
        "(a, b) in s",
        "--a",
        "a * (b div c)",
    ],
)
def test_brackets_stay_where_they_are_needed(text: str) -> None:
    tree = parse_expression(text)
    assert parse_expression(format_expression(tree)) == tree


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("((a))", "a"),
        ("(a and b) or c", "a and b or c"),
        ("(a - b) - c", "a - b - c"),
        ("not (a in b)", "not a in b"),
        ("a or (some x in s: b)", "a or some x in s: b"),
        ("a is someone", "a is some"),
        ("f( a,b )", "f(a, b)"),
        ("{ }", "{}"),
        ("(a).b[ c ]", "a.b[c]"),
    ],
)
def test_brackets_go_where_they_say_nothing(text: str, canonical: str) -> None:
    assert format_expression(parse_expression(text)) == canonical


def test_a_long_chain_has_one_case_a_line() -> None:
    """In columns, also where the head stays on the first line; a chain in brackets is part of its line."""
    cases = [(f"p = {name}", name * 9) for name in ("a", "bb", "ccc", "dddd")]
    chain = " else ".join(f"if {condition} then {value}" for condition, value in cases) + " else last_of_all"
    assert format_ruleset(parse_text(f"define f(p: player) = {chain}\n")) == (
        "define f(p: player) =\n"
        "    if p = a         then aaaaaaaaa\n"
        "    else if p = bb   then bbbbbbbbbbbbbbbbbb\n"
        "    else if p = ccc  then ccccccccccccccccccccccccccc\n"
        "    else if p = dddd then dddddddddddddddddddddddddddddddddddd\n"
        "    else                  last_of_all\n"
    )
    assert format_ruleset(parse_text(f"action a(p: player)\n  set x to {chain}\n")) == (
        "action a(p: player)\n"
        "  set x to if p = a then aaaaaaaaa\n"
        "      else if p = bb   then bbbbbbbbbbbbbbbbbb\n"
        "      else if p = ccc  then ccccccccccccccccccccccccccc\n"
        "      else if p = dddd then dddddddddddddddddddddddddddddddddddd\n"
        "      else                  last_of_all\n"
    )
    inside = format_ruleset(parse_text(f"define f(p: player) = g(({chain}), 1)\n"))
    assert "\n    else" not in inside
    assert parse_text(inside) == parse_text(f"define f(p: player) = g(({chain}), 1)\n")


def test_the_rows_of_a_table_stand_in_columns() -> None:
    text = "table t: k -> set of (-2..2, n)\n a : (0,2), b # x\n # of cc\n {cc, d}:(-1 ,3),{b, a},f(1)\n else: {}\n"
    assert format_ruleset(parse_text(text)) == (
        "table t: k -> set of (-2..2, n)\n"
        "  a:       (0, 2),  b  # x\n"
        "  # of cc\n"
        "  {cc, d}: (-1, 3), {b, a}, f(1)\n"
        "  else:    {}\n"
    )
    numbers = "table t: k -> 0..2 -> 0..99\n  a: 3, 14, 5\n  bb: 11, 2, 7\n"
    assert format_ruleset(parse_text(numbers)).splitlines()[1:] == ["  a:   3, 14, 5", "  bb: 11,  2, 7"]


def test_a_row_that_is_too_long_is_broken_between_values() -> None:
    row = ", ".join(f"value_number_{i}" for i in range(20))
    lines = format_ruleset(parse_text(f"table t: k -> set of v\n  a: {row}\n  bb: x\n")).splitlines()
    assert max(map(len, lines)) <= WIDTH
    assert lines[1].startswith("  a:  value_number_0, value_number_1,")
    assert lines[-1] == "  bb: x"
