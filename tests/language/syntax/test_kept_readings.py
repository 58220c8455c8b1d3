"""A text that is parsed after texts like it has the tree, the places and the messages that it has alone."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gamedsl.language.rules import shipped
from gamedsl.language.source import Source
from gamedsl.language.syntax import KeptDeclarations, parse_ruleset, parser, token_reading, walk
from gamedsl.language.syntax.coloring import token_kinds
from gamedsl.language.syntax.parse.kept_readings import Kept
from gamedsl.language.syntax.parse.language import language
from gamedsl.language.syntax.parse.parse_lines import Lines, logical_lines
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
    for module, name in ((parser, "_TREES"), (parser, "_LINES"), (token_reading, "_TERMINALS")):
        monkeypatch.setattr(module, name, Kept(2000))
    parser._lines_of.cache_clear()


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


ROWS = (
    "players X, O", "define x = a or", "  b and f(c,", "d)", "  (e", "}", "else b", "and c", "define y = if a then", "# note", "# note @1",
    "", "", "   ", '  "open', "move put(c: cell) @2.1 # said", "  when c in empty and", "\tmark c", "§", "  let z = [", "define (",
)  # fmt: skip


def lines_of(text: str, last: Lines | None = None) -> Lines:
    return logical_lines(Source("x.gdl", text), language(), parser.line_starters(), last)


def shown(lines: Lines) -> tuple[object, ...]:
    """Everything that is known of the lines of a text, words and places of citations too."""
    each = [
        (x.indent, x.words, x.start, x.end, [c.span for c in x.cites], x.before, x.behind, x.gap, x.broken, x.open_ifs)
        for x in lines.lines
    ]
    problems = [(d.code, d.span, d.labels) for d in lines.problems]
    return each, lines.after, problems, lines.extents


@given(st.lists(st.sampled_from(ROWS), max_size=12), st.data())
def test_lines_that_a_text_takes_over_are_those_that_it_has_alone(rows: list[str], data: st.DataObject) -> None:
    """Several rows change, come and go at once."""
    known = lines_of("\n".join(rows))
    for _ in range(3):
        for _ in range(data.draw(st.integers(0, 3))):
            at = data.draw(st.integers(0, len(rows)))
            rows = [
                *rows[:at],
                *data.draw(st.lists(st.sampled_from(ROWS), max_size=2)),
                *rows[at + data.draw(st.integers(0, 2)) :],
            ]
        text = "\n".join(rows)
        known = lines_of(text, known)
        assert shown(known) == shown(lines_of(text))


def test_lines_that_stay_are_not_read_again() -> None:
    rows = ["players X, O", "piece mark", "board grid 3 by 3 @2", "piece stone"]
    first = lines_of("\n".join(rows))
    then = lines_of("\n".join([*rows[:2], "option n: 1..3 = 2", *rows[2:]]), first)
    assert then.lines[0] is first.lines[0]
    assert then.lines[1] is not first.lines[1]  # where it ends depends on the line below
    assert then.lines[4].read[0] is first.lines[3].read[0]


def test_a_question_about_a_place_leaves_the_lines_as_they_are() -> None:
    """A text that ends in ``x`` is the one that is read to find what may stand there."""
    source = Source("x.gdl", "players X, O\nstate\n  x")
    words = [line.words[:] for line in parser.read_lines(source)]
    token_reading.stand_at(source, len(source.text))
    assert [line.words for line in parser.read_lines(source)] == words


def test_citations_have_the_places_of_a_text_that_comes_back() -> None:
    """Lines of earlier texts are kept: what a declaration takes with it to another place leaves them as they are."""
    text = "board grid 3 by 3\nplayers X, O  @2\n"
    kept = KeptDeclarations()
    for above in ("", "#\n", "", "# four\n", "#\n", ""):
        tree, _ = parse_ruleset(Source("undone.gdl", above + text), kept)
        [cite] = tree.decls[1].notes.cites
        assert (cite.span.start, cite.span.text) == (len(above) + 32, "@2")


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
