"""The page that compares editors says of ours what the tree says."""

from __future__ import annotations

import re
from pathlib import Path

from gamedsl.language.source import codes

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "explanation" / "beside-other-editors.md").read_text(encoding="utf-8")


def test_our_column_has_the_figures_of_the_tree() -> None:
    cured = (ROOT / "tests" / "language" / "cures" / "fixes.txt").read_text(encoding="utf-8").splitlines()[-1]
    assert f"{cured.split()[0]} of {len(list(codes()))} codes have one" in PAGE
    speed = (ROOT / "docs" / "reference" / "editor-speed.md").read_text(encoding="utf-8")
    median, late = re.findall(r"^\| diagnostics \| ([\d.]+) \| ([\d.]+) \|", speed, re.M)[0]
    assert f"median {median} ms, 95th percentile {late} ms" in PAGE
    kept, of = re.findall(r"kept by (\d+) of (\d+) rulesets\.", speed)[0]
    assert kept == of and f"all of {of} rulesets keep" in PAGE
    worst, _, latest = re.findall(r"^\| ([a-z][\w-]+) \| (\d+) \| (\d+) \|", speed, re.M)[0]
    assert f"{worst} with a 95th percentile of {latest} ms" in PAGE
    tools = sum(
        path.read_text(encoding="utf-8").count("@server.tool(")
        for path in (ROOT / "gamedsl" / "mcp_server").glob("*.py")
    )
    assert f"| {tools}: check, " in PAGE


def test_every_row_says_something_of_everybody() -> None:
    rows = [line.split(" | ") for line in PAGE.splitlines() if line.startswith("| ") and line.count(" | ") > 2]
    assert len(rows) > 20
    assert [row[0] for row in rows if len(row) != 9 or not all(row)] == [row[0] for row in rows if row[0] == "| "]
