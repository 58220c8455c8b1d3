"""The studies: their figures against games that are played without the package, and the crossings of drawn boards."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.recompute_studies import ROWS, differences, pages_row

STUDIES = Path(__file__).resolve().parents[2] / "docs" / "studies"


@pytest.mark.parametrize(("page", "name"), ROWS)
def test_an_independent_script_finds_the_same(page: str, name: str) -> None:
    assert differences(page, name) == []


def test_a_wrong_figure_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    row, games = pages_row("x-s-and-lines.md", "n = 4")
    wrong = row._replace(first=row.first + 0.07)
    monkeypatch.setattr("scripts.recompute_studies.pages_row", lambda page, name: (wrong, games))
    assert len(differences("x-s-and-lines.md", "n = 4")) == 1


def test_every_study_has_its_figures_from_the_script() -> None:
    """`python benchmarks/studies.py --write NAME` writes them between these marks."""
    pages = sorted(STUDIES.glob("*.md"))
    assert len(pages) >= 6
    for page in pages:
        if page.stem != "README":
            text = page.read_text(encoding="utf-8")
            begin = text.index(f"<!-- made by `python benchmarks/studies.py --write {page.stem}` -->")
            assert "| --- |" in text[begin : text.index("<!-- end -->")]
