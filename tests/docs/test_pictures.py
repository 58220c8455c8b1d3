"""The commands that make the pictures of the pages about writing rules still make them: of an editor, of the studio, of calls."""

from __future__ import annotations

import shutil
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from tests.patience import PATIENCE
from tests.play.web.browser import needs_browser

needs_browser()
ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
PAGES = {"editor": "editor.md", "studio": "studio.md", "programs": "programs.md"}


def _size(picture: Path) -> tuple[int, int]:
    """Width and height of a PNG, in pixels."""
    head = picture.read_bytes()[:24]
    assert head.startswith(b"\x89PNG")
    width, height = struct.unpack(">II", head[16:])
    return width, height


@pytest.mark.slow
@pytest.mark.parametrize("name", list(PAGES))
def test_a_picture_is_made_again(name: str, tmp_path: Path) -> None:
    """As wide and nearly as high as the one that is shown: what it shows came as it was waited for."""
    pytest.importorskip("mcp" if name == "programs" else "pygls")
    if name == "editor" and not (shutil.which("nvim") and shutil.which("tmux")):
        pytest.skip("needs Neovim and tmux")
    made = tmp_path / f"{name}.png"
    command = [sys.executable, str(ROOT / "benchmarks" / f"{name}_picture.py"), str(made)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=5 * PATIENCE, check=False)
    assert done.returncode == 0, done.stderr
    (width, height), (shown_width, shown_height) = _size(made), _size(PICTURES / f"{name}.png")
    assert width == shown_width
    assert abs(height - shown_height) <= 0.1 * shown_height


@pytest.mark.parametrize(("name", "page"), list(PAGES.items()))
def test_a_page_shows_its_picture_and_how_it_is_made(name: str, page: str) -> None:
    text = (ROOT / "docs" / "guide" / page).read_text(encoding="utf-8")
    assert f"pictures/{name}.png" in text
    assert f"`python benchmarks/{name}_picture.py`" in text
