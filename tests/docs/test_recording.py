"""The recording at the top of the README shows what the program prints now, and is small."""

from __future__ import annotations

import re
import runpy
from html import unescape
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PICTURE = ROOT / "docs" / "pictures" / "recording.svg"
SCRIPT = runpy.run_path(str(ROOT / "benchmarks" / "recording.py"), run_name="recording")


def texts() -> set[str]:
    """The lines of the picture."""
    lines = re.findall(r"<text [^>]*>(.*?)</text>", PICTURE.read_text(encoding="utf-8"))
    return {unescape(re.sub(r"<[^>]+>", "", line)).replace("\N{NO-BREAK SPACE}", " ").rstrip() for line in lines}


def test_the_picture_shows_the_ruleset_of_the_readme_and_a_refused_move() -> None:
    shown = texts()
    name, text = SCRIPT["ruleset"]()
    assert {line.rstrip() for line in text.splitlines()} <= shown
    answers = SCRIPT["answers"]()
    assert [prompt for prompt, _ in answers] == ["red", "blue", "red", "red"]  # c4 is refused: red is asked again
    refusal = answers[2][1]
    assert f"{name}:12:" in refusal[2] and {line.rstrip() for line in refusal} <= shown
    assert {f"$ gamedsl play {name}", "red> c4", "best play: blue wins"} <= shown


def test_the_picture_is_small_and_needs_no_network() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert len(text) < 300_000
    assert set(re.findall(r"https?://[^\"' )]+", text)) == {"http://www.w3.org/2000/svg"}
