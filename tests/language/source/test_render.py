"""Diagnostics as people read them: goldens by eye, and laws that hold for any span and text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.source.diagnostic import Diagnostic, Label
from gamedsl.language.source.render import diagnostic_json, render, render_all
from gamedsl.language.source.text import NOWHERE, Source, Span

TEXT = "players X, O\nboard grid 3 by 3\npiece mark of player\n\tput mrak[me] on c\n"


def span(text: str, piece: str, path: str = "game.gdl") -> Span:
    start = text.index(piece)
    return Span(Source(path, text), start, start + len(piece))


def test_one_place_with_all_notes() -> None:
    source = Source("game.gdl", TEXT)
    start = TEXT.index("mrak")
    first = TEXT.index("mark")
    d = Diagnostic(
        "E0201",
        "unknown name `mrak`",
        Span(source, start, start + 4),
        labels=(Label(Span(source, first, first + 4), "declared here"),),
        expected="a piece",
        near=("mark", "me"),
        help="Use a name that exists.",
        pointer="/decls/2",
    )
    assert render(d).splitlines() == [
        "error[E0201]: unknown name `mrak`",
        " --> game.gdl:4:6",
        "  |",
        "3 | piece mark of player",
        "  |       ---- declared here",
        "4 |     put mrak[me] on c",
        "  |         ^^^^",
        "  = pointer: /decls/2",
        "  = expected: a piece",
        "  = did you mean: mark or me",
        "  = help: Use a name that exists.",
        "  = explain: gamedsl explain E0201",
    ]


def test_a_label_in_another_file() -> None:
    one, two = span("abc", "b", "one.gdl"), span("xyz", "y", "two.gdl")
    assert render(Diagnostic("W0901", "odd", one, labels=(Label(two, "see"),))).splitlines() == [
        "warning[W0901]: odd",
        " --> one.gdl:1:2",
        "  |",
        "1 | abc",
        "  |  ^",
        " ::: two.gdl:1:2",
        "  |",
        "1 | xyz",
        "  |  - see",
        "  = explain: gamedsl explain W0901",
    ]


def test_no_place() -> None:
    d = Diagnostic("E0001", "no such command", NOWHERE, near=("check",))
    assert render(d).splitlines() == [
        "error[E0001]: no such command",
        " = did you mean: check",
        " = explain: gamedsl explain E0001",
    ]


def test_far_lines_are_left_out_and_near_ones_shown() -> None:
    text = "\n".join(f"line{n}" for n in range(1, 30))
    source = Source("x", text)

    def at(n: int) -> Span:
        start = text.index(f"line{n}\n")
        return Span(source, start, start + 4)

    lines = render(Diagnostic("E0202", "twice", at(20), labels=(Label(at(3), "a"), Label(at(22), "b")))).splitlines()
    assert [line.split("|")[-1].strip() for line in lines[3:]] == [
        "line3", "---- a", "...", "line20", "^^^^", "line21", "line22", "---- b", "= explain: gamedsl explain E0202",
    ]  # fmt: skip


def test_a_long_line_is_cut_around_the_place() -> None:
    text = "a" * 5000 + "HERE" + "b" * 5000
    lines = render(Diagnostic("E0201", "x", span(text, "HERE")), width=60).splitlines()
    assert all(len(line) <= 60 for line in lines)
    assert lines[4][lines[3].index("HERE") :] == "^^^^"
    assert lines[3].count("...") == 2


def test_wide_characters_take_two_columns() -> None:
    lines = render(Diagnostic("E0201", "x", span("漢字 x", "x"))).splitlines()
    assert lines[4] == "  |      ^"


def test_several_are_counted() -> None:
    d, w = Diagnostic("E0201", "x", NOWHERE), Diagnostic("W0901", "y", NOWHERE)
    assert render_all([d, w, d]).splitlines()[-1] == "2 errors, 1 warning"
    assert render_all([d]) == render(d)
    assert render_all([]) == ""


def test_escape_sequences_of_a_file_are_not_passed_on() -> None:
    d = Diagnostic("E0201", "bad \x1b[31m text", span("a \x1b[2J b", "b"))
    assert "\x1b" not in render(d)


@given(
    st.text(max_size=200),
    st.integers(-5, 300),
    st.integers(-5, 300),
    st.text(max_size=30),
    st.booleans(),
    st.integers(0, 200),
)
def test_nothing_fails(text: str, start: int, end: int, message: str, colour: bool, width: int) -> None:
    place = Span(Source("x.gdl", text), start, end)
    d = Diagnostic("E0201", message, place, labels=(Label(place, message),), near=(message,), help=message)
    shown = render(d, colour, width)
    assert all(line == line.rstrip("\n") for line in shown.split("\n"))
    json.dumps(diagnostic_json(d))


@pytest.mark.parametrize("text", ["", "\n\n", "\t\t", "x", "é\u0301", "\ufeffx", "a\r\nb"])
def test_every_place_of_small_texts(text: str) -> None:
    for start in range(len(text) + 2):
        for end in range(start, len(text) + 2):
            assert render(Diagnostic("E0201", "m", Span(Source("x", text), start, end))).startswith("error[E0201]: m")


def test_json_has_every_field() -> None:
    d = Diagnostic("E0201", "m", span("ab\ncd", "d"), near=("x",), pointer="/a")
    assert diagnostic_json(d) == {
        "code": "E0201",
        "severity": "error",
        "message": "m",
        "place": {"path": "game.gdl", "line": 2, "column": 2, "end_line": 2, "end_column": 3},
        "labels": [],
        "expected": None,
        "near": ["x"],
        "help": None,
        "pointer": "/a",
        "fixes": [],
    }
