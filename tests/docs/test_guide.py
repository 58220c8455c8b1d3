"""The guide: its index lists every page, links lead somewhere, and its rulesets are in the one form and come to an end."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

import gamedsl
from gamedsl.cli.main import main
from tests.docs.test_code_blocks import ROOT, blocks

GUIDE = ROOT / "docs" / "guide"
PAGES = sorted(GUIDE.glob("*.md"))
WITH_RULESETS = [*PAGES, *sorted(p for f in ("tutorial", "cookbook") for p in (ROOT / "docs" / f).glob("*.md"))]
LINK = re.compile(r"\]\((?!\w+://)([^)#\s]+)")


def test_the_cookbook_lists_every_recipe() -> None:
    folder = ROOT / "docs" / "cookbook"
    listed = set(LINK.findall((folder / "README.md").read_text(encoding="utf-8")))
    assert {p.name for p in folder.glob("*.md")} - {"README.md"} <= listed


def test_the_index_lists_every_page() -> None:
    listed = set(LINK.findall((GUIDE / "README.md").read_text(encoding="utf-8")))
    assert {p.name for p in PAGES} - {"README.md"} <= listed


@pytest.mark.parametrize("page", [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))], ids=lambda p: p.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for link in LINK.findall(page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


@pytest.mark.parametrize("page", WITH_RULESETS, ids=lambda p: p.stem)
def test_rulesets_are_formatted_and_end(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for number, block in enumerate(b for b in blocks(page) if b.language == "gdl"):
        path = Path(block.file or f"block{number}.gdl")
        path.write_text(block.text, encoding="utf-8")
        assert main(["fmt", "--check", str(path)]) == 0, block.text
        for seed in range(5):
            assert ends(gamedsl.load(str(path)), random.Random(seed)), path


def ends(game: gamedsl.Game, rng: random.Random, most: int = 1000) -> bool:
    state = game.initial_state()
    for _ in range(most):
        if state.is_terminal:
            return True
        state = state.apply(state.propose(rng))
    return False
