"""Texts that are being written: the outline before the cursor stays, and every question is answered."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from gamedsl.editor.data_cursor import cursor
from gamedsl.editor.desk import Desk
from gamedsl.editor.document_check import check_document
from gamedsl.editor.name_occurrences import definition, occurrences
from gamedsl.editor.navigation import find_rename
from gamedsl.editor.outline import declared_names
from gamedsl.editor.structure import folds, semantic_tokens
from gamedsl.editor.tokens import tokens_of
from gamedsl.language.boards import ADJACENCY
from gamedsl.language.rules import builtin_words, shipped
from gamedsl.language.source import Source
from gamedsl.language.syntax import dump_json, dump_yaml, parse_ruleset, stand_at
from tests.editor.every_prefix import Prefixes, text_of

QUICK = ("hex", "backgammon", "chess960")
ALL = [n if n in QUICK else pytest.param(n, marks=pytest.mark.slow) for n in sorted(shipped())]


@pytest.mark.parametrize("name", ALL)
def test_prefixes(name: str) -> None:
    prefixes = Prefixes(name)
    for end in range(37, len(prefixes.text), max(37, len(prefixes.text) // 12)):
        prefixes.try_one(end, checks=False)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(shipped()))
def test_every_seventh_prefix(name: str) -> None:
    """``python -m tests.editor.every_prefix`` tries all."""
    prefixes = Prefixes(name)
    for end in range(0, len(prefixes.text), 7):
        prefixes.try_one(end, checks=end % 5 == 0)


def _written(name: str, ending: str) -> str:
    if ending == ".gdl":
        return text_of(name)
    tree, _ = parse_ruleset(Source("/x.gdl", text_of(name)))
    assert tree is not None
    return dump_json(tree) if ending == ".json" else dump_yaml(tree)


@pytest.mark.parametrize("ending", [".gdl", ".json", ".yaml"])
@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=pytest.mark.slow if n != "hex" else ()) for n in sorted(shipped())]
)
def test_prefixes_and_edits_are_checked(name: str, ending: str) -> None:
    """Whatever was cut off or typed, the check ends with messages at places of the text."""
    text, chance, desk = _written(name, ending), random.Random(name), Desk()
    path = str(shipped()[name].with_name(f"half-written-{name}{ending}"))
    for number in range(12):
        start = chance.randrange(len(text))
        typed = chance.choice(["(", '"', "\n", "  if ", "{", "claim ", "@", "..", "𝒳"])
        rest = "" if number % 2 else typed + text[start + chance.choice((0, 0, 1, 5)) :]
        source = desk.put(path, text[:start] + rest)
        for one in check_document(desk, path, desk.snapshot()):
            assert one.span.source.path != path or 0 <= one.span.start <= len(source.text) + 1, one
        found = cursor(source, start)
        assert found is None or found.start <= start


@pytest.mark.parametrize("name", ALL)
def test_the_parser_takes_what_stands_there(name: str) -> None:
    """At every word of a text that parses, the parser's state has that word, or a name, among what can follow."""
    source = Source("/x.gdl", text_of(name))
    words = [t for t in tokens_of(source) if t.kind in ("keyword", "name")]
    asked = words[:: max(1, len(words) // 25)]
    missed = []
    for token in asked:
        stand = stand_at(source, token.start)
        if token.text not in stand.words and "NAME" not in stand.accepts:
            missed.append(token.text)
    # words that the language knows by what follows them, as `moves` in `moves may tell`, are not known before that
    assert len(missed) <= 1, missed


def _renamings(source: Source, refused: set[str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Every declared or bound name, and the texts by path after it is renamed everywhere. ``refused``: takes the names that cannot be."""
    desk = Desk()
    desk.open[source.path] = source
    seen = set()
    for one in occurrences(source):
        if one.is_binding and (one.name, one.scope) not in seen:
            seen.add((one.name, one.scope))
            places = find_rename(desk, source, one.start, "fresh_name")
            if isinstance(places, str):
                refused.add(one.name)
                continue
            texts: dict[str, str] = {}
            for place in sorted(places, key=lambda p: -p.start):
                read = desk.source(place.path)
                assert read is not None
                text = texts.get(place.path, read.text)
                assert text[place.start : place.end] == one.name
                texts[place.path] = text[: place.start] + "fresh_name" + text[place.end :]
            yield one.name, texts


@pytest.mark.parametrize("name", ALL)
def test_a_renamed_ruleset_is_still_fine(name: str) -> None:
    """Every twelfth name of the ruleset, renamed wherever it means the same, in other files too."""
    path = str(shipped()[name].resolve())
    refused: set[str] = set()
    for number, (old, texts) in enumerate(_renamings(Source(path, text_of(name)), refused)):
        if number % 12 == 0:
            desk = Desk()
            for place, text in texts.items():
                desk.put(place, text)
            for place in texts:
                if place.endswith(".gdl"):
                    assert [d.line for d in desk.analyze(place).found if d.is_error] == [], old
    assert refused <= {*ADJACENCY.names, *builtin_words()}, refused


@pytest.mark.parametrize("name", ALL)
def test_every_word_has_a_kind_and_folds_are_in_order(name: str) -> None:
    source = Source("/x.gdl", text_of(name))
    tokens = list(semantic_tokens(source, None))
    assert tokens == sorted(tokens)
    assert all(source.text[a:b].strip() for a, b, _, _ in tokens)
    assert all(first < last for first, last, _ in folds(source))
    bound = [o for o in occurrences(source) if o.scope >= 0]
    assert all(definition(source, o) is not None for o in bound)
    assert {d.start for d in declared_names(source)} <= {o.start for o in occurrences(source)} | {0}
