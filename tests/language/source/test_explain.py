"""The pages of the codes."""

from __future__ import annotations

import pytest

from gamedsl.language.source.diagnostic import UsageError
from gamedsl.language.source.explanations import codes, example, explain, title


@pytest.mark.parametrize("text", ["E0201", "e0201", " E0201 ", "0201"])
def test_a_page_is_found_however_the_code_is_written(text: str) -> None:
    assert explain(text).startswith("# E0201 ")


@pytest.mark.parametrize("text", ["", "E", "E9999", "../../secret", "E0201.md", "x" * 1000])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        explain(text)


def test_near_codes_are_suggested() -> None:
    with pytest.raises(UsageError) as found:
        explain("E0200")
    assert found.value.diagnostics[0].near


def test_titles_are_short_and_all_different() -> None:
    titles = [title(code) for code in codes()]
    assert len(set(titles)) == len(titles)
    assert all(3 < len(t) <= 60 for t in titles)


def test_examples_are_cut_out() -> None:
    page = "# X\n\n## Broken\n\n```gdl\na\n  b\n```\n\n## Fixed\n\n```yaml\nc: 1\n```\n"
    assert example(page, "Broken") == ("gdl", "a\n  b\n")
    assert example(page, "Fixed") == ("yaml", "c: 1\n")
    assert example(page, "Other") is None
