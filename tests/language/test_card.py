"""The language on one page: complete, short, and right."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gamedsl.language.grammars.language_card import language_card
from gamedsl.language.rules import builtin_names, check_file, signature
from gamedsl.language.source import Source
from gamedsl.language.syntax import WordEntry, parse_ruleset, word_entries

from .card_forms import alternatives, ruleset_of

CARD = language_card()
MOST_TOKENS = 6_000
GAMES = re.findall(r"```gdl\n(.*?)```", CARD, re.DOTALL)


def count_tokens(text: str) -> int:
    """Returns a bound on the tokens of a text: its words and signs, or a third of its characters if that is more."""
    return max(len(re.findall(r"\w+|[^\w\s]", text)), len(text) // 3)


def test_it_is_short_and_complete() -> None:
    """The forms are those of the reference, of which a test checks that they hold every rule of the grammar."""
    assert count_tokens(CARD) < MOST_TOKENS
    missing = [e.title for e in word_entries() if not all(line.strip() in CARD for line in e.form.splitlines())]
    assert missing == []
    assert [name for name in builtin_names() if (found := signature(name)) and f"`{found[0]}`" not in CARD] == []


@pytest.mark.parametrize("number", range(len(GAMES)))
def test_whole_games_check(tmp_path: Path, number: int) -> None:
    path = tmp_path / "mine.gdl"
    path.write_text(GAMES[number], encoding="utf-8")
    program, found = check_file(path)
    assert program is not None and list(found) == []
    assert len(GAMES) == 2


@pytest.mark.parametrize("entry", word_entries(), ids=lambda entry: entry.title)
def test_every_form_is_read_by_the_parser(entry: WordEntry) -> None:
    """With something in the place of each of its capitals. The example of a form is checked and played by the test of the reference."""
    for text in alternatives(entry.form):
        _, problems = parse_ruleset(Source("form.gdl", ruleset_of(entry, text)))
        assert [problem.message for problem in problems if problem.is_error] == [], text


def test_a_form_that_is_wrong_is_noticed() -> None:
    entry = next(entry for entry in word_entries() if entry.title == "roll")
    _, problems = parse_ruleset(Source("form.gdl", ruleset_of(entry, "roll d6 NAME")))
    assert any(problem.is_error for problem in problems)


def test_tokens_are_not_counted_too_low() -> None:
    """By hand: 7 words and 3 signs, with a number."""
    assert count_tokens("put mark[me] on c with n = 4") == 11
    assert count_tokens("a" * 300) == 100


def test_links_of_the_overview_for_programs() -> None:
    root = Path(__file__).resolve().parents[2]
    text = (root / "llms.txt").read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)]+)\)", text)
    assert text.startswith("# gamedsl\n\n> ") and len(links) > 8
    assert [link for link in links if not (root / link).exists()] == []
