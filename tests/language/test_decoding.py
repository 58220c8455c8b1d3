"""Grammars for constrained decoding, read by llguidance: what is shipped is accepted, and what the parser refuses is refused."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from gamedsl.language.rules import shipped
from gamedsl.language.source import Source, resource_path
from gamedsl.language.syntax import dump_json, parse_ruleset, token_kinds

llguidance = pytest.importorskip("llguidance")

TOKENIZER = llguidance.LLTokenizer("byte")
RULESETS = sorted([*shipped().values(), *resource_path("templates").rglob("*.gdl")])
MUTANTS = 1000


class Decoder:
    """A decoder that may only write what a grammar allows."""

    def __init__(self, grammar: Any) -> None:
        self.matcher = llguidance.LLMatcher(TOKENIZER, grammar)
        assert not self.matcher.get_error(), self.matcher.get_error()

    def accepts(self, text: str) -> bool:
        matcher = self.matcher.deep_copy()
        tokens = TOKENIZER.tokenize_str(text)
        return matcher.try_consume_tokens(tokens) == len(tokens) and bool(matcher.is_accepting())


@pytest.fixture(scope="module")
def readable() -> Decoder:
    text = resource_path("grammar", "decoding.lark").read_text(encoding="utf-8")
    return Decoder(llguidance.LLMatcher.grammar_from_lark(text))


@pytest.fixture(scope="module")
def data() -> Decoder:
    text = resource_path("grammar", "decoding.schema.json").read_text(encoding="utf-8")
    return Decoder(llguidance.LLMatcher.grammar_from_json_schema(text))


@pytest.mark.parametrize("path", RULESETS, ids=lambda p: p.stem)
def test_rulesets_are_accepted(path: Path, readable: Decoder, data: Decoder) -> None:
    text = path.read_text(encoding="utf-8")
    assert readable.accepts(text)
    tree, _ = parse_ruleset(Source("", text))
    assert data.accepts(json.dumps(json.loads(dump_json(tree)), ensure_ascii=False))


def mutants(count: int) -> list[str]:
    """Rulesets with one word or sign dropped, replaced or added."""
    rng = random.Random(1)
    texts = [text for path in RULESETS if len(text := path.read_text(encoding="utf-8")) < 6000]
    kinds = ("keyword", "name", "sign", "number", "string")
    parts = {text: [p for p in token_kinds(text) if p.kind in kinds] for text in texts}
    words = [p.text for found in parts.values() for p in found if p.kind != "string"]
    made = []
    for _ in range(count):
        text = rng.choice(texts)
        part = rng.choice(parts[text])
        new = rng.choice(("", rng.choice(words), f"{part.text} {rng.choice(words)}"))
        after = text[part.start + len(part.text) :]
        made.append(text[: part.start] + new + (after if new else after.removeprefix(" ")))
    return made


def test_mutants_are_accepted_as_by_the_parser(readable: Decoder) -> None:
    """A decoder may accept a little more: it reads a keyword as a name where that alone makes a sentence. It may not refuse what
    the parser accepts, or a program could not write it.
    """
    wrong = []
    right = 0
    for text in mutants(MUTANTS):
        _, problems = parse_ruleset(Source("", text))
        parsed = not any(p.is_error for p in problems)
        right += parsed
        if readable.accepts(text) != parsed:
            wrong.append((parsed, text))
    assert 0.05 * MUTANTS < right < 0.95 * MUTANTS, "both are tried"
    assert [text for parsed, text in wrong if parsed] == []
    assert len(wrong) <= 0.01 * MUTANTS


def test_data_with_a_mistake_is_refused(data: Decoder) -> None:
    tree, _ = parse_ruleset(Source("", RULESETS[0].read_text(encoding="utf-8")))
    text = dump_json(tree)
    whole = json.loads(text)
    assert data.accepts(json.dumps(whole, ensure_ascii=False))
    for wrong in ({**whole, "kind": "rulesets"}, {**whole, "more": 1}, {"kind": "ruleset"}, []):
        schema = json.loads(resource_path("grammar", "ruleset.schema.json").read_text(encoding="utf-8"))
        is_valid = jsonschema.Draft202012Validator(schema).is_valid(wrong)
        assert data.accepts(json.dumps(wrong, ensure_ascii=False)) == is_valid


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
