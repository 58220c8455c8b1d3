"""Every word of the language has a page with its form, its meaning and an example (tests/docs/test_reference.py checks those)."""

from __future__ import annotations

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.word_pages import explain_word, words
from gamedsl.language.syntax.parse.language import language


def test_every_word_has_a_page() -> None:
    assert set(language().keywords) | BUILTINS.keys() <= set(words())
    for word in words():
        page = explain_word(word)
        assert page is not None
        assert page.startswith(f"# {word}\n\n")


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
