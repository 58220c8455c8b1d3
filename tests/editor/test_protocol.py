"""Offsets of a text ↔ positions of the protocol, and addresses ↔ paths."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from gamedsl.editor import protocol
from gamedsl.editor.protocol import Positions, path_of, uri_of
from gamedsl.language.source import Source

ENCODINGS = {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}
UNIT = {"utf-8": 1, "utf-16": 2, "utf-32": 4}  # bytes
TEXTS = st.text(st.sampled_from("ab c\né𝒳\u2028"), max_size=30)


def positions(encoding: str) -> Positions:
    return Positions(encoding, lambda source, path: (0, 0), uri_of)


@given(TEXTS, st.integers(0, 30), st.sampled_from(sorted(ENCODINGS)))
def test_a_position_counts_the_units_before_it_in_its_line_and_leads_back(
    text: str, offset: int, encoding: str
) -> None:
    source, offset = Source("", text), min(offset, len(text))
    found = positions(encoding).position(source, offset)
    before = text[:offset].split("\n")
    assert (found.line, found.character) == (
        len(before) - 1,
        len(before[-1].encode(ENCODINGS[encoding])) // UNIT[encoding],
    )
    assert positions(encoding).offset(source, found) == offset


@given(TEXTS, st.integers(0, 9), st.integers(0, 40), st.sampled_from(sorted(ENCODINGS)))
def test_a_position_beyond_its_line_is_the_end_of_the_line(text: str, line: int, character: int, encoding: str) -> None:
    found = positions(encoding).offset(Source("", text), lsp.Position(line, character))
    rows = text.split("\n")
    if line >= len(rows):
        assert found == len(text)
    else:
        start = sum(len(row) + 1 for row in rows[:line])
        assert start <= found <= start + len(rows[line])


def test_each_character_of_a_line_is_measured_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """A line of a million characters has a hundred thousand names, and an editor asks for the place of each."""
    measured = 0
    units = protocol._units

    def count(char: str, encoding: str) -> int:
        nonlocal measured
        measured += 1
        return units(char, encoding)

    monkeypatch.setattr(protocol, "_units", count)
    text = "players é" + ",a" * 2000
    for offset in range(0, len(text), 2):
        positions("utf-16").position(Source("once", text), offset)
    assert measured == len(text)


@pytest.mark.parametrize(
    "uri", ["untitled:Untitled-1", "git:/a/b.gdl?x#y", "http://x/%2e%2e/y.gdl", "file:///a%00b.gdl"]
)
def test_the_path_of_what_is_no_file_leads_back_and_to_no_file(uri: str) -> None:
    assert uri_of(path_of(uri)) == uri
    assert Path(path_of(uri)).resolve() == Path(path_of(uri)) and not Path(path_of(uri)).parent.exists()


def test_a_file_whose_name_looks_like_an_address_is_a_file(tmp_path: Path) -> None:
    path = str(tmp_path.resolve() / "untitled:x.gdl")
    assert path_of(uri_of(path)) == path
