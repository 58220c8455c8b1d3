"""Explorations for tests: those that earlier versions wrote, and broken ones."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).with_name("explorations")  # VERSION-GAME.json, each written by the page of that version
WRITTEN = sorted(FOLDER.glob("*.json"))

SMALL: dict[str, Any] = {
    "gamedsl exploration": 1,
    "engine": "0.2.0",
    "game": "tic-tac-toe",
    "options": {},
    "digest": "0123456789abcdef",
    "rules": {"tic-tac-toe.gdl": 'game "Another"\n'},
    "at": 2,
    "nodes": [
        {"comment": "<img src=x onerror=alert(1)>"},
        {"parent": 0, "who": "X", "ply": "b2", "circles": [["cell", "a1"]], "arrows": [["cell", "a1", "cell", "c3"]]},
        {"parent": 1, "who": "O", "ply": "a1"},
        {"parent": 1, "who": "O", "ply": "b1", "comment": "two\nlines"},
    ],
}


def text_of(**changes: Any) -> str:
    return json.dumps({**SMALL, **changes}, ensure_ascii=False)


def with_node(**changes: Any) -> str:
    return text_of(nodes=[*SMALL["nodes"][:3], {"parent": 2, "who": "X", "ply": "c3", **changes}])


def hostile() -> Iterator[tuple[str, str]]:
    """Names and texts of files that must be refused, by the page and by the program alike."""
    whole = text_of()
    yield "cut", whole[: len(whole) // 2]
    yield "deep", '{"gamedsl exploration": ' + "[" * 100_000
    yield "long", whole + " " * 2_000_001
    for name in SMALL:
        if name != "gamedsl exploration":
            yield f"without {name}", json.dumps({key: value for key, value in SMALL.items() if key != name})
    yield "later form", text_of(**{"gamedsl exploration": 2})
    yield "no form", text_of(**{"gamedsl exploration": True})
    yield "many", text_of(nodes=[{}, *[{"parent": 0, "who": "X", "ply": "b2"}] * 5000])
    yield "a long line", text_of(nodes=[{}, *[{"parent": i, "who": "X", "ply": "b2"} for i in range(2001)]])
    yield "no positions", text_of(nodes=[], at=0)
    yield "shows none", text_of(at=4)
    yield "shows half", text_of(at=0.5)
    yield "digest", text_of(digest="")
    yield "rules", text_of(rules={"a.gdl": 1})
    yield "escapes", with_node(comment="\x1b[2J")
    yield "direction", with_node(comment="\u202etxt.exe")
    yield "half a pair", whole.replace("two", "\\ud800")
    yield "a long comment", with_node(comment="x" * 4001)
    yield "a comment that is none", with_node(comment=["x"])
    yield "many marks", with_node(circles=[["cell", "a1"]] * 101)
    yield "half a mark", with_node(arrows=[["cell", "a1", "cell"]])
    yield "a mark that is none", with_node(circles=[["cell", 1]])
    yield "lines in a ply", with_node(ply="a1\n")
    yield "its own parent", with_node(parent=3)
    yield "a parent below", with_node(parent=-1)
    yield "a parent that is none", with_node(parent="2")
    yield "no ply", text_of(nodes=[{}, {"parent": 0, "who": "X"}])
    yield "a ply before all", text_of(nodes=[{"parent": 0, "who": "X", "ply": "b2"}], at=0)
