"""Every word of the language has a page with its form, its meaning and an example that can be read."""

from __future__ import annotations

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.word_pages import explain_word, words
from gamedsl.language.source import GameDSLError
from gamedsl.language.syntax import WordEntry, parse_text, word_entries
from gamedsl.language.syntax.parse.language import language

HOLDERS = ("{0}", "move m\n{1}", "play\n{1}", "play\n  turns from X\n{2}")


def test_every_word_has_a_page() -> None:
    assert set(language().keywords) | BUILTINS.keys() <= set(words())
    for word in words():
        page = explain_word(word)
        assert page is not None
        assert page.startswith(f"# {word}\n\n")


@pytest.mark.parametrize("entry", word_entries(), ids=lambda e: e.words[0])
def test_the_example_can_be_read(entry: WordEntry) -> None:
    def indented(times: int) -> str:
        return "\n".join("  " * times + line for line in entry.example.split("\n"))

    for holder in HOLDERS:
        try:
            parse_text(holder.format(entry.example, indented(1), indented(2)) + "\n")
        except GameDSLError:
            continue
        return
    pytest.fail(f"no place for {entry.example!r}")


@pytest.mark.parametrize(
    ("word", "said"),
    [
        ("union", "All elements of the sets"),
        ("turns", "turns from PLAYER"),
        ("rows", "on a grid"),
        ("me", "whose move"),
    ],
)
def test_the_command(word: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", word]) == 0
    assert said in capsys.readouterr().out


def test_an_unknown_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["explain", "trun"]) == 2
    assert "did you mean: turn" in capsys.readouterr().err
    assert main(["explain", "E9999"]) == 2
