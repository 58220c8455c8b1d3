"""Decoders that may only write what a grammar allows, and texts to try them with.

``python -m tests.language.decoders [SEED]...`` says of 1,000 rulesets of which one word was changed how often each decoder and the parser
agree, and shows the rulesets where they do not. The tests use seed 1.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from gamedsl.language.rules import shipped
from gamedsl.language.source import Source, resource_path
from gamedsl.language.syntax import parse_ruleset, token_kinds

Accepts = Callable[[str], bool]
RULESETS = sorted([*shipped().values(), *resource_path("templates").rglob("*.gdl")])


def llguidance_of(grammar: str, form: str) -> Accepts:
    """``form``: "lark" or "json_schema"."""
    llguidance = pytest.importorskip("llguidance")
    tokenizer = llguidance.LLTokenizer("byte")
    made = getattr(llguidance.LLMatcher, f"grammar_from_{form}")(grammar)
    first = llguidance.LLMatcher(tokenizer, made)
    assert not first.get_error(), first.get_error()

    def accepts(text: str) -> bool:
        matcher = first.deep_copy()
        tokens = tokenizer.tokenize_str(text)
        return matcher.try_consume_tokens(tokens) == len(tokens) and bool(matcher.is_accepting())

    return accepts


def xgrammar_of(grammar: str, form: str) -> Accepts:
    """``form``: "lark" or "json_schema"."""
    xgrammar = load_xgrammar()
    matcher = xgrammar.testing._get_matcher_from_grammar(getattr(xgrammar.Grammar, f"from_{form}")(grammar))

    def accepts(text: str) -> bool:
        matcher.reset()
        return bool(matcher.accept_string(text) and matcher.is_completed())

    return accepts


def load_xgrammar() -> Any:
    """XGrammar without PyTorch and Transformers, which only hold its bit masks and tokenizers: what it names of them at its import
    is an empty class. `pip install --no-deps xgrammar apache-tvm-ffi` is enough (a few megabytes instead of gigabytes).
    """
    if "xgrammar" in sys.modules:
        return sys.modules["xgrammar"]
    try:
        import tvm_ffi  # noqa: F401  # before the empty torch, which it would use
    except ImportError:
        assert not os.environ.get("GAMEDSL_NEEDS_XGRAMMAR"), "pip install --no-deps xgrammar apache-tvm-ffi"
        pytest.skip("needs xgrammar")
    empty = {name: _Empty(name) for name in ("torch", "transformers") if name not in sys.modules}
    sys.modules.update(empty)
    try:
        import xgrammar
    finally:
        for name in empty:
            del sys.modules[name]
    return xgrammar


class _Empty(ModuleType):
    """A module that has every name: classes, and functions that return nothing."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        made = (lambda *args, **kwargs: None) if name == "tensor" else type(name, (), {})
        setattr(self, name, made)
        return made


DECODERS = {"llguidance": llguidance_of, "xgrammar": xgrammar_of}


def mutants(count: int, seed: int = 1) -> list[str]:
    """Rulesets with one word or sign dropped, replaced or added."""
    rng = random.Random(seed)
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


def parses(text: str) -> bool:
    _, problems = parse_ruleset(Source("", text))
    return not any(p.is_error for p in problems)


def main(seeds: list[int]) -> None:
    grammar = resource_path("grammar", "decoding.lark").read_text(encoding="utf-8")
    decoders = {name: decoder(grammar, "lark") for name, decoder in DECODERS.items()}
    for seed in seeds:
        texts = mutants(1000, seed)
        parsed = [parses(text) for text in texts]
        for name, accepts in decoders.items():
            wrong = [text for text, fits in zip(texts, parsed, strict=True) if accepts(text) != fits]
            print(f"seed {seed}, {name}: agrees with the parser on {len(texts) - len(wrong)}", flush=True)
            for text in wrong:
                print(f"--- {'refused' if parses(text) else 'accepted'}\n{text}", flush=True)


if __name__ == "__main__":
    main([int(seed) for seed in sys.argv[1:]] or [1])
