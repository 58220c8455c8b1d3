"""Texts with mistakes: which code, where, what was expected and meant; one mistake hides no other; limits."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gamedsl.language.source.diagnostic import Diagnostic, GameDSLError
from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax import ast
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parse.messages import SYNTAX_MESSAGES
from gamedsl.language.syntax.parse.parse_lines import MAX_DEPTH
from gamedsl.language.syntax.parser import MAX_CHARACTERS, parse_expression, parse_ruleset, parse_text
from gamedsl.language.syntax.print.printer import format_ruleset

GOLDEN = Path(__file__).parent / "golden"
TEXTS = [path.read_text(encoding="utf-8") for path in sorted(resource_path("rulesets").glob("*.gdl"))]


def problems(text: str) -> tuple[Diagnostic, ...]:
    return parse_ruleset(Source("x", text))[1]


def places(text: str) -> list[tuple[str, int, int]]:
    return [(p.code, p.span.line, p.span.column) for p in problems(text)]


@pytest.mark.parametrize(
    ("text", "place", "near"),
    [
        ('game "x"\n  bye "y"\n', ("E0101", 2, 3), "by"),
        ("state\n  stock 0..45\n", ("E0101", 2, 9), ""),
        ("play\n  me play place\n", ("E0101", 2, 6), "plays"),
        ("look\n  stroke a as duble\n", ("E0101", 2, 15), "double"),
        ("play\n    if a\n        stop\n   skip\n", ("E0102", 4, 4), ""),
        ("  play\n", ("E0102", 1, 3), ""),
        ("define a = b ? §\n", ("E0103", 1, 16), ""),
        ('game "x\nplayers a\n', ("E0104", 1, 6), ""),
        ("define a = f(b\nplayers a\n", ("E0105", 1, 13), ""),
        ("play\n\tdraw\n", ("E0106", 2, 1), ""),
        ("plya\n  draw\n", ("E0107", 1, 1), "play"),
        ("put a on b\n", ("E0107", 1, 1), ""),
        ("play\n  putt a on b\n", ("E0108", 2, 3), "put"),
        ("define a = {x = y: z}\n", ("E0109", 1, 12), ""),
        ("play\n  draw @4.05 x\n", ("E0110", 2, 8), ""),
        ("play\n  draw @4.05,\n", ("E0110", 2, 8), ""),
        ("@4.05\nplay\n", ("E0110", 1, 1), ""),
        ("move m\n  stop\n  when a\n", ("E0111", 3, 3), ""),
        ("define a = 1000000001\n", ("E0114", 1, 12), ""),
        ("define a = b)\n", ("E0115", 1, 13), ""),
        ("define a = f(b]\n", ("E0115", 1, 15), ""),
        ('game "a\\n"\n', ("E0117", 1, 6), ""),
        ("define a = b == c\n", ("E0118", 1, 14), ""),
        ("define a = b % c\n", ("E0118", 1, 14), ""),
        ("define a = 2.5\n", ("E0119", 1, 12), ""),
        ("define a = 2b\n", ("E0119", 1, 12), ""),
        ("define a =\n", ("E0120", 1, 11), ""),
        ("play\n  put a\n", ("E0120", 2, 8), ""),
        ("play\n  if a\n  stop\n", ("E0121", 2, 3), ""),
        ("play\n  phase a\n", ("E0121", 2, 3), ""),
        ("play\n  let in = 3\n", ("E0122", 2, 7), ""),
        ("define a = b < c < d\n", ("E0123", 1, 18), ""),
        ("play\n  else\n    stop\n", ("E0124", 2, 3), ""),
        ("play\n  until a\n", ("E0124", 2, 3), ""),
        ("play\n  stop\n    stop\n", ("E0125", 3, 5), ""),
        ("play\n  if a then stop\n", ("E0126", 2, 8), ""),
        ("play\n  a plays b\n    may pass\n    may pass\n", ("E0127", 4, 5), ""),
        ("piece a of player, b\n", ("E0128", 1, 7), ""),
        ('game "a\x07"\n', ("E0129", 1, 6), ""),
        ("play\n  x = 3\n", ("E0130", 2, 5), ""),
        ("play\n  when a\n", ("E0132", 2, 3), ""),
        ("remove mvoe x\n", ("E0133", 1, 8), "move"),
    ],
)
def test_one_mistake(text: str, place: tuple[str, int, int], near: str) -> None:
    found = problems(text)
    assert (found[0].code, found[0].span.line, found[0].span.column) == place
    assert near in (*found[0].near, "")
    assert not near or found[0].near[0] == near


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("state\n  stock 0..45\n", "`,` or `:`"),
        ("define a = )\n", ""),
        ("play\n  let x =\n", "an expression"),
        ("type x =\n", "a type"),
        ("play\n  roll\n", "a number or a die such as `d6`"),
        ("use x\n", "a quoted string"),
        ("players 1 to\n", "a number"),
        ("move m(a)\n", "`:` or `in`"),
        ("play\n  a plays b c\n", "the end of the line or `|`"),
        ("play\n  5 + 3\n", "a statement"),
    ],
)
def test_what_was_expected(text: str, expected: str) -> None:
    assert problems(text)[0].expected == expected


def test_one_mistake_hides_no_other() -> None:
    text = (GOLDEN / "mistakes.txt").read_text(encoding="utf-8")
    announced = [(n, code) for n, line in enumerate(text.splitlines(), 1) for code in _announced(line)]
    assert [(line, code) for code, line, _ in places(text)] == announced


def _announced(line: str) -> list[str]:
    return line.split("# !")[1].split() if "# !" in line else []


def test_the_mistakes_as_they_are_told(golden: Callable[[Path, str], None]) -> None:
    told = []
    for p in problems((GOLDEN / "mistakes.txt").read_text(encoding="utf-8")):
        told.append(f"{p.span.line}:{p.span.column} {p.code} {p.message}")
        told += [f"    {label}: {text}" for label, text in _details(p) if text]
    golden(GOLDEN / "mistakes.told", "\n".join(told) + "\n")


def _details(p: Diagnostic) -> list[tuple[str, str]]:
    return [("expected", p.expected), ("near", ", ".join(p.near)), ("help", p.help)]


def test_what_is_right_is_read_around_mistakes() -> None:
    text = "players a\nmove m\n  when a\n  putt b\n  stop\nplyers\nplay\n  if\n    stop\n  else\n    skip\n  again\n"
    tree, found = parse_ruleset(Source("x", text))
    assert [p.code for p in found] == ["E0108", "E0107", "E0120"]
    players, move, play = tree.decls
    assert isinstance(players, ast.PlayersNamed)
    assert isinstance(move, ast.MoveDecl) and len(move.guards) == 1 and move.effect == (ast.Stop(),)
    assert isinstance(play, ast.PlayDecl) and play.body == (ast.Again(),)


def test_what_stands_on_a_broken_line_is_not_reported_twice() -> None:
    assert [p.code for p in problems("play\n  if a ==\n    stop\n  else\n    put\n  stop\n")] == ["E0118"]


def test_errors_are_raised_together() -> None:
    with pytest.raises(GameDSLError) as caught:
        parse_text("plya\nmoev\n", "f.gdl")
    assert [str(d.span) for d in caught.value.diagnostics] == ["f.gdl:1:1", "f.gdl:2:1"]


def test_every_message_can_be_filled() -> None:
    assert all(len(code) == 5 and code.startswith("E01") for code in SYNTAX_MESSAGES)
    assert len(SYNTAX_MESSAGES) >= 30


# -------------------------------------------------------------------------------------------------------- limits

DEEP = MAX_DEPTH * 30


@pytest.mark.parametrize(
    "text",
    [
        "define x = " + "(" * DEEP + "1" + ")" * DEEP,
        "define x = " + "(" * DEEP,
        "define x = " + "{" * DEEP,
        "define x = " + "f(" * DEEP,
        "define x = " + "not " * DEEP + "a",
        "define x = " + "-" * DEEP + "a",
        "define x = a" + " + a" * DEEP,
        "define x = " + "if a then b else " * DEEP + "c",
        "define x = " + "some y in s: " * DEEP + "a",
        "define x: " + "set of " * DEEP + "a = 1",
        "define x: " + "a -> " * DEEP + "a = 1",
        "play\n" + "".join("  " * i + "if a\n" for i in range(1, 2 * MAX_DEPTH)),
        "".join(" " * i + "part a\n" for i in range(3 * MAX_DEPTH)),
    ],
    ids=range(13),
)
def test_deep_nesting_is_a_diagnostic(text: str) -> None:
    assert {p.code for p in problems(text)} & {"E0116", "E0112"}


def test_what_is_nested_less_is_fine() -> None:
    most = MAX_DEPTH - 5
    for text in ["(" * most + "1" + ")" * most, "not " * most + "a", "if a then b else " * most + "c"]:
        tree = parse_expression(text)
        assert tree == parse_expression(text)
    blocks = "play\n" + "".join("  " * i + "if a\n" for i in range(1, most)) + "  " * most + "draw\n"
    assert parse_text(format_ruleset(parse_text(blocks))) == parse_text(blocks)


def test_long_files_are_refused() -> None:
    assert [p.code for p in problems(" " * (MAX_CHARACTERS + 1))] == ["E0112"]
    assert problems(" " * MAX_CHARACTERS) == ()


@pytest.mark.parametrize("line", ["x\n", "(\n", "define x = f(\n", "\t x\n", "define x =\n", "or\n"], ids=range(6))
def test_many_mistakes_take_time_in_proportion(line: str) -> None:
    """Twice the lines take about twice the calls, not four times."""
    language()
    few, many = calls_for(line * 4_000), calls_for(line * 8_000)
    assert many < 3 * few


def calls_for(text: str) -> int:
    """How many Python functions are called to find what is wrong with a text."""
    calls = 0

    def count(_: FrameType, event: str, __: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        assert 0 < len(problems(text)) <= 202
    finally:
        sys.setprofile(None)
    return calls


WORDS = st.sampled_from(
    [*sorted(language().texts.values()), "a", "b", "1", '"t"', "\n", "\n  ", "\n    ", "#", "@1", "\t"]
)


@settings(max_examples=150, deadline=None)
@given(st.lists(WORDS, max_size=40))
def test_any_words_give_diagnostics(words: list[str]) -> None:
    text = " ".join(words)
    tree, found = parse_ruleset(Source("x", text))
    if not found:
        assert parse_text(format_ruleset(tree)) == tree


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(TEXTS), st.integers(0, 10_000), st.integers(0, 30), st.text(max_size=4))
def test_any_damage_gives_diagnostics(text: str, start: int, length: int, new: str) -> None:
    start %= len(text)
    tree, found = parse_ruleset(Source("x", text[:start] + new + text[start + length :]))
    if not found:
        assert parse_text(format_ruleset(tree)) == tree


@settings(max_examples=150, deadline=None)
@given(st.text(max_size=60))
def test_any_text_gives_diagnostics(text: str) -> None:
    parse_ruleset(Source("x", text))
