"""The sections of rulebooks: the same in the terminal, the page and a variant; and what the five documented games say."""

from __future__ import annotations

from pathlib import Path

import pytest

import gamedsl
from gamedsl.language.core import HEADINGS
from gamedsl.language.rules import load_program
from gamedsl.play.terminal.texts.rulebook_text import rulebook
from gamedsl.play.web.rulebook_html import rulebook_html

RULES = """
players X, O
play
  draw
info
  goal "Do nothing."
  equipment "Nothing."
  setup board "Sit down."
  turn "There is none."
  ending "It has ended already."
  example "Now."
  example "Later."
  note "Drawn."
"""
ORDER = ["goal", "equipment", "setup", "turn", "ending", "example", "note"]
DOCUMENTED = ["t-tic-t-tac-toe", "t-tic-t-tac-toe-game", "x-s-and-lines", "horn-tiles", "atreso", "abs-trac-toe"]


def test_every_section_has_a_heading(tmp_path: Path) -> None:
    (tmp_path / "rest.gdl").write_text(RULES)
    program = load_program(tmp_path / "rest.gdl")
    lines, page = rulebook(program), rulebook_html(program)
    headings = [HEADINGS[key] for key in ORDER]
    assert [line for line in lines if line in headings] == headings
    assert "- Now." in lines and "- Later." in lines and "<li>Later.</li>" in page
    assert {"Sit down.", "Do nothing."} <= set(
        lines
    ) and "<p>Sit down.</p>" in page  # a section of one paragraph is not a list
    assert all(f"<h3>{heading}</h3>" in page for heading in headings)


def test_a_variant_replaces_a_line_of_a_section_by_its_name(tmp_path: Path) -> None:
    (tmp_path / "rest.gdl").write_text(RULES)
    (tmp_path / "stand.gdl").write_text('variant of "rest.gdl"\ninfo\n  setup board "Stand up."\nremove example\n')
    texts = [p.text for p in gamedsl.load(tmp_path / "stand.gdl").program.parts[0].info]
    assert texts == ["Do nothing.", "Nothing.", "Stand up.", "There is none.", "It has ended already.", "Drawn."]


@pytest.mark.parametrize("name", DOCUMENTED)
def test_a_documented_game_reads_like_a_rules_sheet(name: str) -> None:
    """Goal, equipment, setup, the turn, the end: all there, in this order."""
    keys = list(dict.fromkeys(p.key for p in load_program(name).parts[0].info))
    assert keys == [key for key in HEADINGS if key in keys], "in the order of a rules sheet"
    assert {"about", "goal", "equipment", "setup", "rule", "ending"} <= set(keys)
