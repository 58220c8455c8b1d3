"""The formatter keeps, or sets, the brackets that a reader needs; the tree stays the same."""

from __future__ import annotations

import pytest

from gamedsl.language.syntax import format_ruleset
from gamedsl.language.syntax.parser import parse_text


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("if a then if b then 1 else 2 else 3", "if a then (if b then 1 else 2) else 3"),
        ("if a then 1 else if b then 2 else 3", "if a then 1 else if b then 2 else 3"),
        ("if (if a then b else c) then 1 else 2", "if (if a then b else c) then 1 else 2"),
        ("a or if b then c else d", "a or (if b then c else d)"),
        ("2 * count d in die: f[d] = n", "2 * (count d in die: f[d] = n)"),
        ("2 * count d in die: f[d]", "2 * count d in die: f[d]"),
        ("a | union of f(x) for x in s", "a | union of f(x) for x in s"),
        ("a + sum of f(x) for x in s: x > 1", "a + (sum of f(x) for x in s: x > 1)"),
        ("sum of count d in die: f[d] = n for n in s", None),
        ("sum of (sum of f(x) for x in s) for y in t", "sum of (sum of f(x) for x in s) for y in t"),
        ("a and some x in s: f(x) and g(x)", "a and some x in s: f(x) and g(x)"),
    ],
)
def test_brackets(written: str, formatted: str | None) -> None:
    tree = parse_text(f"define value = {written}\n")
    text = format_ruleset(tree)
    assert parse_text(text) == tree
    assert format_ruleset(parse_text(text)) == text
    if formatted is not None:
        assert text == f"define value = {formatted}\n"


def test_an_inner_else_never_stands_in_the_column_of_the_outer() -> None:
    cases = " else ".join(
        f"if b = box_number_{n} then if some k in 1..6: many(k) >= {n} then total_of_all else 0" for n in range(9)
    )
    text = format_ruleset(parse_text(f"define worth(b: box): 0..50 = {cases} else 0\n"))
    assert [line.strip()[:7] for line in text.splitlines()[1:]] == ["if b = "] + ["else if"] * 8 + ["else 0"] or all(
        line.strip() == "else" or "then (if" in line or line.strip().startswith("else")
        for line in text.splitlines()[1:]
    )
