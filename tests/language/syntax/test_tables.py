"""The kept parse tables are those of the grammar."""

from __future__ import annotations

from pathlib import Path

import pytest
from lark import Lark

from gamedsl.language.source.resources import resource_path
from gamedsl.language.syntax import parse_tables

GRAMMAR = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")


def test_kept_tables_are_fresh() -> None:
    kept = parse_tables._kept(GRAMMAR)
    assert kept is not None, "run `python -m gamedsl.language.syntax.parse_tables`"
    built = parse_tables.build(GRAMMAR)
    assert set(kept.rules) == set(built.rules)
    assert _size(kept) == _size(built)


def _size(lark: Lark) -> tuple[int, int]:
    """How many states and how many actions the parser has (their numbering may differ from build to build)."""
    states = lark.parser.parser._parse_table.states
    size = len(states._texts) if isinstance(states, parse_tables.Rows) else len(states)
    return size, sum(len(states[state]) for state in range(size))


def test_tables_of_another_grammar_are_not_used() -> None:
    assert parse_tables._kept(GRAMMAR + "\n// a comment") is None


def test_without_tables_the_grammar_is_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gamedsl.lark").write_text(GRAMMAR, encoding="utf-8")
    monkeypatch.setattr(parse_tables, "resource_path", lambda *parts: tmp_path / parts[-1])
    assert parse_tables._kept(GRAMMAR) is None
    assert parse_tables.load_lark().rules
