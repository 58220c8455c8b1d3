"""The stored parse tables are those of the grammar, and the parser over them reads what Lark reads."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import lark
import pytest

from gamedsl.language.rules import shipped
from gamedsl.language.source.resources import resource_path
from gamedsl.language.source.text import Source
from gamedsl.language.syntax import parse_tables
from gamedsl.language.syntax.parse.push_parser import Child, Parsed, PushParser, Token, UnexpectedToken
from gamedsl.language.syntax.parser import parse_ruleset

GRAMMAR = resource_path("grammar", "gamedsl.lark").read_text(encoding="utf-8")


@cache
def lark_parser() -> lark.Lark:
    return parse_tables.build_lark(GRAMMAR)


def test_stored_tables_are_fresh() -> None:
    stored = parse_tables._stored(GRAMMAR)
    assert stored is not None, "run `python -m gamedsl.language.syntax.parse_tables`"
    stored.pop("made_of")
    assert stored == {
        key: [list(rule) for rule in value] if key == "rules" else value
        for key, value in parse_tables.extract(lark_parser()).items()
    }


def test_tables_of_another_grammar_are_not_used() -> None:
    assert parse_tables._stored(GRAMMAR + "\n// a comment") is None


def test_without_tables_the_grammar_is_built(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "gamedsl.lark").write_text(GRAMMAR, encoding="utf-8")
    monkeypatch.setattr(parse_tables, "resource_path", lambda *parts: tmp_path / parts[-1])
    parser = lark_parser()
    monkeypatch.setattr(parse_tables, "build_lark", lambda grammar: parser)
    assert parse_tables._stored(GRAMMAR) is None
    assert parse_tables.load_tables().rules


@pytest.fixture(scope="module")
def texts() -> list[tuple[str, list[Token], Parsed]]:
    """Every form of a declaration in the shipped rulesets: the rule to begin with, its tokens, and its tree."""
    found: dict[tuple[str, ...], tuple[str, list[Token], Parsed]] = {}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("gamedsl.language.syntax.parse.language.PushParser", lambda *args: Recorder(found, *args))
        for path in shipped().values():
            parse_ruleset(Source(path.name, path.read_text(encoding="utf-8")))
    return list(found.values())


class Recorder(PushParser):
    def __init__(self, found: dict[tuple[str, ...], Any], tables: parse_tables.ParseTables, start: str) -> None:
        super().__init__(tables, start)
        self.found, self.start, self.fed = found, start, list[Token]()

    def feed(self, token: Token) -> None:
        super().feed(token)
        self.fed.append(token)

    def end(self) -> Parsed:
        tree = super().end()
        kinds = tuple(token.type for token in self.fed)
        self.found.setdefault(kinds, (self.start, self.fed[:-1], tree))
        return tree


def test_trees_are_those_of_lark(texts: list[tuple[str, list[Token], Parsed]]) -> None:
    assert len(texts) > 700
    for start, tokens, tree in texts[::3]:
        theirs = lark_parser().parse_interactive(start=start)
        for token in tokens:
            theirs.feed_token(lark.Token(token.type, str(token), token.start, end_pos=token.end))
        assert list(nodes(tree)) == list(lark_nodes(theirs.feed_eof()))


def nodes(tree: Child) -> Iterator[object]:
    if not isinstance(tree, Parsed):
        yield tree if tree is None else (tree.type, str(tree), tree.start, tree.end)
        return
    yield tree.data, len(tree.children), tree.start, tree.end
    for child in tree.children:
        yield from nodes(child)


def lark_nodes(tree: Any) -> Iterator[object]:
    if not isinstance(tree, lark.Tree):
        yield tree if tree is None else (tree.type, str(tree), tree.start_pos, tree.end_pos)
        return
    yield tree.data, len(tree.children), getattr(tree.meta, "start_pos", -1), getattr(tree.meta, "end_pos", -1)
    for child in tree.children:
        yield from lark_nodes(child)


def test_what_can_come_next_is_what_lark_takes(texts: list[tuple[str, list[Token], Parsed]]) -> None:
    """After every beginning of some texts; a token that cannot come is refused by both."""
    for start, tokens, _ in texts[::40]:
        ours, theirs = PushParser(parse_tables.load_tables(), start), lark_parser().parse_interactive(start=start)
        for token in tokens:
            ours.feed(token)
            theirs.feed_token(lark.Token(token.type, str(token)))
        assert ours.accepts() == theirs.accepts()
        for wrong in sorted({"NAME", "INT", "_DEDENT", "$END"} - ours.accepts()):
            with pytest.raises(UnexpectedToken):
                ours.fork().feed(Token(wrong, ""))


def test_a_fork_leaves_the_parser_as_it_is() -> None:
    parser = PushParser(parse_tables.load_tables(), "expression")
    parser.feed(Token("INT", "1", 0, 1))
    parser.fork().feed(Token("PLUS", "+", 2, 3))
    parser.feed(Token("TIMES", "*", 2, 3))
    assert "INT" in parser.accepts()
