"""JSON and YAML text -> values with places: what is read, what is refused, and where."""

from __future__ import annotations

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.source.diagnostic import GameDSLError
from gamedsl.language.source.text import Source
from gamedsl.language.syntax.data.datum import Datum, plain
from gamedsl.language.syntax.data.reader import read_document
from gamedsl.language.syntax.data.yaml_reader import refuse_comments

TEXTS = st.text(st.characters(exclude_categories=("Cs",)), max_size=20)
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**15), 10**15) | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=20,
)


def read(text: str, path: str = "x.json") -> Datum:
    return read_document(Source(path, text))


def problem(text: str, path: str = "x.yaml") -> tuple[str, int, int, str]:
    with pytest.raises(GameDSLError) as found:
        read(text, path)
    (d,) = found.value.diagnostics
    return d.code, d.span.line, d.span.column, d.pointer


@given(VALUES, st.booleans(), st.sampled_from([None, 1, 4]))
def test_json_is_read_as_the_standard_library_reads_it(value: Any, ascii: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii, indent=indent)
    assert plain(read(text)) == value


@given(VALUES)
def test_places_cut_out_what_was_read(value: Any) -> None:
    document = read(json.dumps(value, ensure_ascii=False, indent=1))

    def check(d: Datum) -> None:
        assert json.loads(d.span.text) == plain(d)
        inner = d.value.values() if isinstance(d.value, dict) else d.value if isinstance(d.value, list) else ()
        for one in inner:
            check(one)

    check(document)


@given(VALUES)
def test_quoted_yaml_is_read_as_pyyaml_reads_it(value: Any) -> None:
    text = yaml.safe_dump(value, default_style='"', allow_unicode=False)
    if any(tag in text for tag in ("!!int", "!!bool", "!!null")):
        return  # PyYAML tags what it quotes; tags are not read
    assert plain(read(text, "x.yaml")) == value


@given(st.text(max_size=60))
def test_any_text_is_read_or_refused(text: str) -> None:
    for path in ("x.json", "x.yaml", "x"):
        try:
            read(text, path)
        except GameDSLError as refused:
            assert refused.diagnostics[0].code.startswith("E06")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: &x 1", ("E0603", 1, 4, "/a")),
        ("a: *x", ("E0603", 1, 4, "/a")),
        ("a: !!str 1", ("E0604", 1, 4, "/a")),
        ("a: !thing {b: 1}", ("E0604", 1, 4, "/a")),
        ("a: 1\nb: 2\na: 3", ("E0605", 3, 1, "")),
        ("a: {b: 1, b: 2}", ("E0605", 1, 11, "/a")),
        ("a: 1\n---\nb: 1", ("E0606", 2, 1, "")),
        ("", ("E0609", 1, 1, "")),
        ("# nothing\n", ("E0609", 1, 1, "")),
        ("a: on", ("E0610", 1, 4, "/a")),
        ("a: [1, No]", ("E0610", 1, 8, "/a/1")),
        ("a: 4.05", ("E0610", 1, 4, "/a")),
        ("a: 010", ("E0610", 1, 4, "/a")),
        ("a: 1_000", ("E0610", 1, 4, "/a")),
        ("a: 1:30", ("E0610", 1, 4, "/a")),
        ("a: 1e3", ("E0610", 1, 4, "/a")),
        ("a: 0o7", ("E0610", 1, 4, "/a")),
        ("a: 2024-01-01", ("E0610", 1, 4, "/a")),
        ("a: True", ("E0610", 1, 4, "/a")),
        ("<<: {a: 1}", ("E0610", 1, 1, "")),
        ("1: a", ("E0611", 1, 1, "")),
        ("[a, b]: c", ("E0611", 1, 1, "")),
        ("a: \x07", ("E0612", 1, 4, "")),
        ("a: [1, 2", ("E0602", 1, 9, "")),
        ("a: b: c", ("E0602", 1, 5, "")),
        ("\ta: 1", ("E0602", 1, 1, "")),
    ],
)
def test_yaml_that_is_refused(text: str, expected: tuple[str, int, int, str]) -> None:
    assert problem(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", ("E0601", 1, 2, "")),
        ('{"a": 1,}', ("E0601", 1, 9, "")),
        ("[1, ]", ("E0601", 1, 5, "")),
        ('{"a" 1}', ("E0601", 1, 6, "")),
        ("{a: 1}", ("E0601", 1, 2, "")),
        ('{"a": tru}', ("E0601", 1, 7, "")),
        ('{"a": 01}', ("E0601", 1, 8, "")),
        ('{"a": "b}', ("E0601", 1, 7, "")),
        ('{"a": "\\x"}', ("E0601", 1, 7, "")),
        ('{"a": 1} 2', ("E0601", 1, 10, "")),
        ('{"a": 12345678901234567890}', ("E0601", 1, 7, "")),
        ('{"a": 1, "a": 2}', ("E0605", 1, 10, "")),
        ('{"a": "\\ud83d"}', ("E0612", 1, 7, "/a")),
        ("[" * 600, ("E0608", 1, 452, "/0" * 40)),
    ],
)
def test_json_that_is_refused(text: str, expected: tuple[str, int, int, str]) -> None:
    assert problem(text, "x.json") == expected


def test_depth_is_bounded_in_yaml() -> None:
    assert problem("[" * 5000)[0] == "E0608"
    assert problem("\n".join(" " * n + "a:" for n in range(900)))[0] == "E0608"
    for deep in (
        "- " * 5000,
        "? " * 5000,
        "[\n" * 5000,
        "{a: " * 5000,
        "[" * 1200 + "]" * 1200,
        "x: [a, " + "[" * 5000,
    ):
        assert problem(deep)[0] == "E0608", deep[:9]


def test_errors_that_are_not_deep_keep_their_code() -> None:
    for broken in ("- [{a:\n" * 3, "[" * 400, "a: [[[" + "\n  - ]", "'" + "[" * 1000, "| [[[["):
        assert problem(broken)[0] == "E0602", broken[:9]


def test_the_deepest_yaml_that_is_read() -> None:
    assert plain(read("[" * 450 + "]" * 450, "x.yaml")) is not None
    assert problem("[" * 452 + "]" * 452)[0] == "E0608"


def test_size_is_bounded() -> None:
    assert problem("a: " + "x" * 2_000_000)[0] == "E0607"


def test_aliases_can_not_multiply() -> None:
    bomb = "a: &a [1, 1]\n" + "\n".join(
        f"{chr(98 + n)}: &{chr(98 + n)} [*{chr(97 + n)}, *{chr(97 + n)}]" for n in range(20)
    )
    assert problem(bomb)[0] == "E0603"


def test_clear_yaml_scalars() -> None:
    text = 'a: true\nb: "on"\nc: null\nd: -3\ne: word\nf: "4.05"\ng: n\nh: two words'
    expected = {"a": True, "b": "on", "c": None, "d": -3, "e": "word", "f": "4.05", "g": "n", "h": "two words"}
    assert plain(read(text, "x.yaml")) == expected


def test_pointers_are_escaped() -> None:
    document = read('{"a/b": {"c~d": 1}}')
    assert isinstance(document.value, dict)
    inner = document.value["a/b"]
    assert isinstance(inner.value, dict)
    assert inner.value["c~d"].pointer == "/a~1b/c~0d"


@pytest.mark.parametrize("text", ["a: 1 # no", "# no\na: 1", "a: 1\n# no\n", "a:\n  # no\n  - 1"])
def test_comments_of_yaml_are_noticed(text: str) -> None:
    with pytest.raises(GameDSLError) as found:
        refuse_comments(Source("x.yaml", text))
    assert text[found.value.diagnostics[0].span.start] == "#"


def test_a_hash_inside_a_text_is_no_comment() -> None:
    refuse_comments(Source("x.yaml", 'a: "# yes"\nb: a#b\nc: |\n  # yes\n'))
