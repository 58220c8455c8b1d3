"""What fits on a screen of 80 columns and 24 lines is printed; what does not is shown page by page."""

from __future__ import annotations

import pydoc

import pytest

from gamedsl.cli import output
from gamedsl.cli.main import main
from gamedsl.language.source import read_index

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def small_terminal(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A terminal of 80 by 24, and what goes to its pager."""
    pages: list[str] = []
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "24")
    monkeypatch.setattr(output, "_is_read_on_a_screen", lambda: True)
    monkeypatch.setattr(pydoc, "pager", pages.append)
    return pages


def test_the_overview_fits(small_terminal: list[str], capsys: Capture) -> None:
    assert main([]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) < 24
    assert all(len(line) < 80 for line in lines)
    assert all(any(line.startswith(family) for line in lines) for family in read_index())


def test_the_list_is_paged_on_a_small_terminal(small_terminal: list[str], capsys: Capture) -> None:
    assert main(["list"]) == 0
    assert capsys.readouterr().out == ""
    assert all(entry.name in small_terminal[0] for games in read_index().values() for entry in games)


def test_the_list_is_printed_elsewhere(capsys: Capture) -> None:
    assert main(["list"]) == 0
    out = capsys.readouterr().out
    assert all(entry.name in out for games in read_index().values() for entry in games)


def test_short_rules_are_printed(small_terminal: list[str], capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LINES", "30")
    assert main(["rules", "tic-tac-toe"]) == 0
    assert small_terminal == []
    assert "A full board without such a line" in capsys.readouterr().out
