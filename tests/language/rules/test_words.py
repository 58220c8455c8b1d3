"""Every word of the language has a page with its form, its meaning and an example (tests/docs/test_reference.py checks those)."""

from __future__ import annotations

import pytest

from gamedsl.cli.main import main
from gamedsl.language.rules.expressions.builtins import BUILTINS
from gamedsl.language.rules.word_pages import explain_word, words
from gamedsl.language.rules.word_search import TOPICS, related, stem
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


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("scoring", ("rank by", "E0417")),  # another form of a word in a title
        ("restriction", ("when", "forbid")),  # a word that the language does not use itself
        ("ko", ("repetition",)),
        ("dice", ("roll", "E0418")),
        ("hidden information", ("seen",)),
        ("capturing", ("remove",)),
        ("repetitions", ("repetition", "E0368")),
    ],
)
def test_words_of_players_find_forms_builtins_and_codes(
    asked: str, found: tuple[str, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["explain", asked]) == 0
    out = capsys.readouterr().out
    assert all(word in out for word in found), out


def test_topics_name_words_of_the_language() -> None:
    assert {topic: word for topic, named in TOPICS.items() for word in named if word not in words()} == {}
    assert {topic: stem(topic) for topic in TOPICS if stem(topic) != topic} == {}


def test_what_has_nothing_to_do_with_the_language() -> None:
    assert not related("xylophone") and not related("?!")
