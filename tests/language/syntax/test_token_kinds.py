"""Colors of rulesets: names, numbers and strings are those of the trees that the parser builds, in every shipped ruleset."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from pygments.token import Comment, Keyword, Name, Number, String

from gamedsl.language.rules.pygments_lexer import RulesetLexer
from gamedsl.language.source import Source
from gamedsl.language.syntax import parser
from gamedsl.language.syntax.coloring import token_kinds
from gamedsl.language.syntax.parse.push_parser import Parsed, Token
from tests.shipped_sample import sampled

ROOT = Path(__file__).parents[3]
RULESETS = sorted([*ROOT.glob("rulesets/**/*.gdl"), *ROOT.glob("templates/**/*.gdl")])
TERMINALS = {"NAME": "name", "INT": "number", "STRING": "string"}


def kinds_in_trees(text: str, monkeypatch: pytest.MonkeyPatch) -> set[tuple[int, str, str]]:
    """What the trees of the parser hold. Words that are only there to be read are not in a tree."""
    trees: list[tuple[Parsed, int]] = []
    build = parser.build_decl

    def note(builder: Any, tree: Any) -> Any:
        trees.append((tree, builder.ahead))
        return build(builder, tree)

    monkeypatch.setattr(parser, "build_decl", note)
    _, problems = parser.parse_ruleset(Source("", text))
    assert not problems
    tokens = [(token, ahead) for tree, ahead in trees for token in tokens_of(tree)]
    return {(t.start + ahead, TERMINALS.get(t.type, "keyword"), str(t)) for t, ahead in tokens}


def tokens_of(tree: Parsed) -> Iterator[Token]:
    for child in tree.children:
        if isinstance(child, Parsed):
            yield from tokens_of(child)
        elif isinstance(child, Token) and child:
            yield child


@pytest.mark.parametrize("path", sampled(RULESETS, "kinds of tokens"), ids=lambda p: p.stem)
def test_kinds_are_those_of_the_parser(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = path.read_text(encoding="utf-8")
    pieces = list(token_kinds(text))
    assert "".join(p.text for p in pieces) == text and not [p for p in pieces if p.kind == "error"]
    held = kinds_in_trees(text, monkeypatch)
    words = {(p.start, p.kind, p.text) for p in pieces if p.kind not in ("space", "comment", "citation")}
    in_trees = {w for w in words if w[1] in TERMINALS.values()}
    assert in_trees == {w for w in held if w[1] in TERMINALS.values()}
    assert {w for w in held if w[1] == "keyword"} <= words | {(s, "keyword", t) for s, k, t in words if k == "sign"}


def types(text: str) -> dict[str, Any]:
    return {value: kind for _, kind, value in RulesetLexer().get_tokens_unprocessed(text)}


def test_a_keyword_is_a_name_where_the_parser_reads_one() -> None:
    found = list(token_kinds("piece stone of player\nstate\n  turn: 0..9\n"))
    assert [p.kind for p in found if p.text in ("piece", "of", "state")] == ["keyword"] * 3
    assert [p.kind for p in found if p.text == "turn"] == ["name"]


def test_types_for_pygments() -> None:
    found = types('move go(c: cell) # why\n  when count(empty) < 12 "no room" @3.1\n')
    assert found["move"] is Keyword and found["go"] is Name and found["count"] is Name.Builtin
    assert found["# why"] is Comment.Single and found["12"] is Number.Integer and found['"no room"'] is String.Double
    assert found["@3.1"] is Name.Decorator


@pytest.mark.parametrize(
    "text",
    ["", "\n", "put post[me] on c", 'when "', "game \x00", "\ufeffgame", "move (", "a\r\nb", 'x "é" ß', "\t\t1.5z"],
)
def test_parts_and_wrong_texts_are_kept_whole(text: str) -> None:
    assert "".join(p.text for p in token_kinds(text)) == text
    assert "".join(value for _, _, value in RulesetLexer().get_tokens_unprocessed(text)) == text


def test_a_statement_alone_has_its_keywords() -> None:
    assert [p.kind for p in token_kinds("put post[me] on c") if p.kind not in ("space", "sign")] == [
        "keyword", "name", "name", "keyword", "name",
    ]  # fmt: skip


def test_the_entry_point() -> None:
    points = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["entry-points"]
    module, _, name = points["pygments.lexers"]["gamedsl"].partition(":")
    assert getattr(import_module(module), name) is RulesetLexer
    assert RulesetLexer.filenames == ["*.gdl"] and "gdl" in RulesetLexer.aliases
