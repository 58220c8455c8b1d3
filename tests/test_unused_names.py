"""What only tests use is among the tests."""

from __future__ import annotations

import pytest

from scripts.unused_names import Names, Unit

REASONS = {
    Unit(
        "gamedsl.language.syntax.parser", "declaration_trees"
    ): "the generator of the reference shows which forms an example uses",
    Unit("gamedsl.agents.wasm_search", "all_kernels"): "`python -m scripts.wasm_kernels` compiles them anew",
}


@pytest.mark.slow  # it parses and walks all files
def test_names_are_used_or_have_a_reason() -> None:
    names = Names()
    assert len(names.parts) > 10_000, "the names are not found"
    assert set(names.unused()) == set(REASONS), "delete it, move it to the tests, or give the reason here"
