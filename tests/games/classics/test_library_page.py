"""docs/library.md says of every classic what its files say now."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = runpy.run_path(str(ROOT / "benchmarks" / "library_sizes.py"), run_name="library_sizes")


def test_fresh() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    assert text == SCRIPT["page"](), "run python benchmarks/library_sizes.py"


def test_every_classic_is_listed() -> None:
    text = (ROOT / "docs" / "library.md").read_text(encoding="utf-8")
    for path in (ROOT / "rulesets" / "classics").glob("*.gdl"):
        assert f"(`{path.stem}`)" in text


def test_every_classic_says_what_it_is_checked_against() -> None:
    """Tests beyond a ruleset's examples: published counts, another program, or the like."""
    bare = [
        p.stem
        for p in (ROOT / "rulesets" / "classics").glob("*.gdl")
        if "its examples" in SCRIPT["checked_against"](p.stem)
    ]
    assert bare == []


SMALL = """\
# a comment
game "Small"

players X, O  # two

move go(c: cell) written "{c}"
  when c in empty "taken"

info
  about "Nothing."
"""


def test_counting(tmp_path: Path) -> None:
    file = tmp_path / "small.gdl"
    file.write_text(SMALL, encoding="utf-8")
    size = SCRIPT["size_of"](file)
    # game "Small" | players X , O | move go ( c : cell ) written "{c}" | when c in empty "taken" | info | about "..."
    assert (size.lines, size.tokens) == (6, 2 + 4 + 9 + 5 + 1 + 2)
    assert (size.rule_lines, size.rule_words) == (3, 3 + 6 + 5)


@pytest.mark.parametrize("path", sorted((ROOT / "rulesets" / "classics").glob("*.gdl")), ids=lambda p: p.stem)
def test_no_longer_than_a_rulebook(path: Path) -> None:
    """Whoever writes a classic with more than 160 lines of rules has missed something in the language."""
    assert SCRIPT["size_of"](path).rule_lines <= 160
