"""Grammars for constrained decoding, read by llguidance and XGrammar: they accept what the parser accepts, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gamedsl.language.source import Source, resource_path
from gamedsl.language.syntax import HARD_WORDS, dump_json, parse_ruleset

from .decoders import DECODERS, RULESETS, Accepts, mutants, parses

MUTANTS = 1000


@pytest.fixture(scope="module", params=sorted(DECODERS))
def decoder(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def readable(decoder: str) -> Accepts:
    return DECODERS[decoder](resource_path("grammar", "decoding.lark").read_text(encoding="utf-8"), "lark")


@pytest.fixture(scope="module")
def data(decoder: str) -> Accepts:
    return DECODERS[decoder](
        resource_path("grammar", "decoding.schema.json").read_text(encoding="utf-8"), "json_schema"
    )


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.stem)
def test_rulesets_are_accepted(path: Path, readable: Accepts, data: Accepts) -> None:
    text = path.read_text(encoding="utf-8")
    assert readable(text)
    tree, _ = parse_ruleset(Source("", text))
    assert data(json.dumps(json.loads(dump_json(tree)), ensure_ascii=False))


def test_mutants_are_accepted_as_by_the_parser(readable: Accepts) -> None:
    judged = [(parses(text), readable(text), text) for text in mutants(MUTANTS)]
    assert 0.05 * MUTANTS < sum(parsed for parsed, *_ in judged) < 0.95 * MUTANTS, "both are tried"
    assert [text for parsed, accepted, text in judged if parsed != accepted] == []


@pytest.mark.parametrize(
    "text",
    [
        # a word and a sign decide what the word is
        "define f = count (c)",
        "define f = count(c)",
        "define f = count x in cell: yes",
        "define f = count distinct x, y in cell: yes",
        "define f = count distinct, y in cell: yes",
        "define f = no x in cell: yes",
        "define f = no",
        "define f = g(count north)",
        "define f = g(count north, 3)",
        "define f = g(no north, 3)",
        "define f = moves (a, go)",
        "define f = moves(a)",
        "define f = moves",
        "define f = sum",
        "define f = sum of 1 for x in cell",
        "board hex star 4",
        "board hex star -4",
        "board hex star - 4",
        "board hex star -4 by 3",
        "board hex star - 4 by 3",
        "board hex star by 3",
        "board graph\n  nodes to b",
        "board graph\n  nodes to, b",
        "board graph\n  nodes at 3, 0",
        "board graph\n  path at 3, 0",
        "board graph\n  path at b",
        "board graph\n  path at, b",
        "board graph\n  path at",
        "board graph\n  path to, b\n  path to b",
        "board graph\n  nodes at, b # a list",
        "board graph\n  ring to, at around 0, 0 with radius 1",
        # keywords where the parser knows them, names elsewhere
        "define f = g(a to b)",
        "define f = g(a north)",
        "action go\n  when(b)",
        "action go\n  set b to 1\n  when(b)",
        "claim always of",
        "claim always",
        # words that touch
        "define f = aor b",
        "define f = a orb",
        "define f = 2or b",
        "define f = (a)or(b)",
        "define f = if a then b else c",
        "define f = if a then(b)else c",
        "define f = if a then b\n  else c",
        "define f = g(and)",
        "define f = 1 .. 5",
        "define f = 1000000000",
        "define f = 1000000001",
        "define f = 0001000000000",
        # lines that go on
        "define f = a or\n  b",
        "define f = (a or\n  put)",
        "move go(c: cell)\n  put m on c =\n\nplay\n  draw",
        "board grid 2 by 2\nclaim always a and\nforbid (b) and c",
        "move go(c: cell)\n  when a and\n  when (b) and c",
        # what is refused once a declaration is read
        "define f = {c in cell: yes}",
        "define f = {(c) in cell: yes}",
        "define f = {(c in cell): yes}",
        "define f = {b, c in cell: yes}",
        "define f = {(b, c) in cell: yes}",
        "define f = {a, (b, c) in cell: yes}",
        "define f = {1 in cell: yes}",
        "define f = {c: yes}",
        "define f = {c.d in cell: yes}",
        "define f = {c in cell, d: yes}",
        "define f = {c not in cell: yes}",
        "define f = {c in cell and d in cell: yes}",
        "piece man of player, 4 each, stacking",
        "piece man, king of player, stacking",
        "piece man of player, king",
        "piece 4 each, man",
        "piece man, stacking, king",
        "piece man, stacking, stacking",
        "piece man, 4 each, 5 in supply",
        "board grid 3 by 3 named by letters from top",
        "board grid 3 by 3 named by letters named by numbers",
        "board grid 3 by 3 without a1 without a2",
        "board grid 3 by 3 with grid 2 by 2 with grid 2 by 2",
        "remove move go",
        "remove goal",
        "remove mover go",
    ],
)
def test_a_declaration_is_accepted_as_by_the_parser(text: str, readable: Accepts) -> None:
    assert readable(f"{text}\n") == parses(f"{text}\n")


@pytest.mark.parametrize(
    "lines",
    [
        ("when a", "when b", "stop"),
        ("stop", "when a"),
        ("if a", "  stop", "when a"),
        ("stop", "stop"),
    ],
)
def test_guards_come_first(lines: tuple[str, ...], readable: Accepts) -> None:
    text = "".join(f"  {line}\n" for line in lines)
    assert readable(f"move go(c: cell)\n{text}") == parses(f"move go(c: cell)\n{text}")


@pytest.mark.parametrize(
    "lines",
    [("may pass",), ("may pass", "may pass"), ("may pass", "stuck", "  stop"), ("stuck", "  stop", "stuck", "  stop")],
)
def test_what_is_said_once_of_a_turn(lines: tuple[str, ...], readable: Accepts) -> None:
    text = "play\n  me plays go\n" + "".join(f"    {line}\n" for line in lines)
    assert readable(text) == parses(text)


@pytest.mark.parametrize(
    "name", [*sorted(HARD_WORDS), "i", "ins", "in_", "i1", "no1", "none", "nones", "an", "andor", "_"]
)
def test_a_hard_word_is_no_name(name: str, readable: Accepts) -> None:
    assert readable(f"players a, b\n\nboard graph\n  nodes {name}, zz\n") == (name not in HARD_WORDS)


def test_data_with_a_mistake_is_refused(data: Accepts) -> None:
    tree, _ = parse_ruleset(Source("", RULESETS[0].read_text(encoding="utf-8")))
    text = dump_json(tree)
    whole = json.loads(text)
    assert data(json.dumps(whole, ensure_ascii=False))
    for wrong in ({**whole, "kind": "rulesets"}, {**whole, "more": 1}, {"kind": "ruleset"}, []):
        schema = json.loads(resource_path("grammar", "ruleset.schema.json").read_text(encoding="utf-8"))
        is_valid = jsonschema.Draft202012Validator(schema).is_valid(wrong)
        assert data(json.dumps(wrong, ensure_ascii=False)) == is_valid


def test_the_schema_has_nothing_that_decoders_refuse() -> None:
    text = resource_path("grammar", "decoding.schema.json").read_text(encoding="utf-8")

    def keys(part: Any) -> set[str]:
        if isinstance(part, list):
            return set().union(*map(keys, part)) if part else set()
        if not isinstance(part, dict):
            return set()
        inner = [keys(value) for name, value in part.items() if name not in ("properties", "$defs")]
        named = [keys(value) for name in ("properties", "$defs") for value in part.get(name, {}).values()]
        return set(part).union(*inner, *named)

    found = keys(json.loads(text))
    assert not found & {"if", "then", "else", "not", "allOf", "oneOf", "dependentSchemas", "unevaluatedProperties"}
    assert "(?!" not in text and "(?=" not in text and "(?<" not in text
