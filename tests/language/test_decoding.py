"""Grammars for constrained decoding, read by llguidance and XGrammar: what is shipped is accepted, and what the parser refuses is
refused.
"""

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
    """A decoder may accept a little more: it reads a keyword as a name where that alone makes a sentence. It may not refuse what
    the parser accepts, or a program could not write it.
    """
    judged = [(parses(text), readable(text), text) for text in mutants(MUTANTS)]
    assert 0.05 * MUTANTS < sum(parsed for parsed, *_ in judged) < 0.95 * MUTANTS, "both are tried"
    assert [text for parsed, accepted, text in judged if parsed and not accepted] == []
    assert sum(accepted and not parsed for parsed, accepted, _ in judged) <= 0.01 * MUTANTS


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
