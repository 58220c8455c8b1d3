"""A text that is parsed after texts like it has the tree, the places and the messages that it has alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from gamedsl.language.rules import shipped
from gamedsl.language.source import Source
from gamedsl.language.syntax import KeptDeclarations, parse_ruleset, parser, token_reading, walk
from gamedsl.language.syntax.coloring import token_kinds
from gamedsl.language.syntax.parse import scanner
from gamedsl.language.syntax.parse.kept_readings import Kept
from tests.shipped_sample import sampled

PIECES = ("", "", "x", " ", "\n", "\n  ", "(", ")", '"', "# note", " @1.2", "if ", "define q = 1\n", "move ", "\t", "é")


def everything(text: str, kept: KeptDeclarations | None = None) -> tuple[Any, ...]:
    """All nodes with their places and notes, the messages, and the kinds of words."""
    source = Source("x.gdl", text)
    tree, problems = parse_ruleset(source, kept)
    assert all(node.span.source is source for node in walk(tree) if hasattr(node, "span"))
    nodes: list[tuple[str, Any, Any]] = []
    for node in walk(tree):
        span = getattr(node, "span", None)
        nodes.append((type(node).__name__, span and (span.start, span.end), getattr(node, "notes", None)))
    cites = [c.span for _, _, notes in nodes if notes is not None for c in notes.cites]
    said = [(d.code, d.message, d.span.start, d.span.end, d.fixes) for d in problems]
    return repr(nodes), cites, said, list(token_kinds(text))


def forgetting(monkeypatch: pytest.MonkeyPatch) -> None:
    for module, name in ((parser, "_TREES"), (scanner, "_LINES"), (token_reading, "_TERMINALS")):
        monkeypatch.setattr(module, name, Kept(2000))


def edited(text: str, chance: random.Random) -> str:
    start = chance.randrange(len(text))
    end = min(len(text), start + chance.choice((0, 0, 1, 3, 20)))
    return text[:start] + chance.choice(PIECES) + text[end:]


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "kept readings"))
def test_a_text_that_is_written_on(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Edits pile up, and declarations move; now and then an old text returns."""
    chance = random.Random(name)
    text = original = shipped()[name].read_text(encoding="utf-8")
    forgetting(monkeypatch)
    warm = []
    texts = [text]
    for _ in range(3):
        text = edited(text, chance) if chance.random() < 0.8 else "# more\n" + original
        texts.append(text)
    warm = [everything(one) for one in texts]
    for one, found in zip(texts, warm, strict=True):
        forgetting(monkeypatch)
        assert everything(one) == found


@pytest.mark.parametrize("name", sampled(sorted(shipped()), "kept declarations"))
def test_what_a_tree_takes_over_from_the_last_one(name: str) -> None:
    """Edits pile up; now and then the original returns, or a part of it twice. Messages, notes and places are those of the text."""
    chance = random.Random(name)
    text = original = shipped()[name].read_text(encoding="utf-8")
    kept = KeptDeclarations()
    for _ in range(8):
        assert everything(text, kept) == everything(text)
        text = chance.choice(
            (edited(text, chance), edited(text, chance), "# more\n" + original, text + "\n" + original)
        )


def test_what_did_not_change_is_taken_over() -> None:
    kept = KeptDeclarations()
    first, _ = parse_ruleset(Source("x.gdl", "players X, O\nboard grid 3 by 3 @2\n"), kept)
    then, _ = parse_ruleset(Source("x.gdl", "players X, O\noption n: 1..3 = 2\nboard grid 3 by 3 @2\n"), kept)
    assert [any(d is old for old in first.decls) for d in then.decls] == [True, False, True]


def test_places_follow_a_declaration_that_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    forgetting(monkeypatch)
    text = "players X, O\nboard grid 3 by 3 @2\n"
    places: Callable[[str], list[tuple[int, int]]] = lambda text: [  # noqa: E731
        (d.span.start, d.span.end) for d in parse_ruleset(Source("x.gdl", text))[0].decls
    ]
    assert places(text) == [(0, 12), (13, 30)]
    assert places("# a note\n" + text) == [(9, 21), (22, 39)]


def test_what_was_used_last_stays() -> None:
    kept: Kept[str, int] = Kept(2)
    for number, key in enumerate("abc"):
        kept.put(key, number)
    assert kept.find("a") == 0  # one of the last two again
    kept.put("d", 3)
    assert (kept.find("a"), kept.find("b"), kept.find("d")) == (0, None, 3)
