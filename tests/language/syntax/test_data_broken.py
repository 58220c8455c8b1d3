"""Broken data documents: each gets a clear message with the place and the JSON pointer."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from gamedsl.language.source.render import render
from gamedsl.language.syntax.data.load import load_data

BASE: dict[str, Any] = {
    "kind": "ruleset",
    "decls": [
        {"kind": "game_decl", "title": "Small", "items": [{"kind": "header_item", "key": "by", "text": "me"}]},
        {"kind": "players_named", "names": ["X", "O"]},
        {
            "kind": "board_decl",
            "shapes": [
                {
                    "kind": "board_shape",
                    "form": "grid",
                    "sizes": [{"kind": "int", "value": 3}, {"kind": "int", "value": 3}],
                }
            ],
            "naming": "numbers",
        },
        {
            "kind": "move_decl",
            "name": "place",
            "params": [{"kind": "param", "name": "c", "type": {"kind": "named_type", "name": "cell"}}],
            "mistake": False,
            "guards": [
                {
                    "kind": "guard",
                    "condition": {
                        "kind": "binary",
                        "op": "in",
                        "left": {"kind": "ref", "name": "c"},
                        "right": {"kind": "ref", "name": "empty"},
                    },
                    "notes": {"cites": ["4.05"]},
                }
            ],
        },
        {"kind": "play_decl", "body": [{"kind": "verdict", "form": "win", "who": {"kind": "ref", "name": "X"}}]},
    ],
}
GUARD = "/decls/3/guards/0"


def edited(pointer: str, change: Callable[[Any, Any], None]) -> str:
    """The base document as JSON text, changed at a pointer: ``change(container, key)``."""
    document = copy.deepcopy(BASE)
    *path, last = [int(k) if k.isdigit() else k for k in pointer.split("/")[1:]]
    container: Any = document
    for key in path:
        container = container[key]
    change(container, last)
    return json.dumps(document, indent=1)


def to(value: Any) -> Callable[[Any, Any], None]:
    def change(container: Any, key: Any) -> None:
        container[key] = value

    return change


def gone(container: Any, key: Any) -> None:
    del container[key]


def renamed(name: str) -> Callable[[Any, Any], None]:
    def change(container: Any, key: Any) -> None:
        container[name] = container.pop(key)

    return change


# where, what is done there, the code, the pointer of the message, and a word that it has to say
BROKEN: list[tuple[str, Callable[[Any, Any], None], str, str, str]] = [
    ("/kind", to("rulesets"), "E0631", "", "ruleset"),
    ("/kind", gone, "E0631", "", "kind"),
    ("/decls", renamed("decl"), "E0620", "/decl", "did you mean: decls"),
    ("/decls", to({}), "E0623", "/decls", "a list"),
    ("/decls", to(None), "E0623", "/decls", "null"),
    ("/decls/0", to("game"), "E0623", "/decls/0", "an object"),
    ("/decls/0", to([]), "E0623", "/decls/0", "a list"),
    ("/decls/0/kind", to("game"), "E0622", "/decls/0/kind", "did you mean: game_decl"),
    ("/decls/0/kind", to(7), "E0622", "/decls/0/kind", "7"),
    ("/decls/0/kind", to("ref"), "E0629", "/decls/0/kind", "is not allowed here"),
    ("/decls/0/kind", renamed("knd"), "E0633", "/decls/0", "did you mean: kind"),
    ("/decls/0/title", gone, "E0621", "/decls/0", "title"),
    ("/decls/0/title", renamed("titel"), "E0620", "/decls/0/titel", "did you mean: title"),
    ("/decls/0/title", to(3), "E0623", "/decls/0/title", "a string"),
    ("/decls/0/title", to(True), "E0623", "/decls/0/title", "true"),
    ("/decls/0/title", to("a\nb"), "E0626", "/decls/0/title", "line"),
    ("/decls/0/title", to("a\u0007b"), "E0626", "/decls/0/title", "control"),
    ("/decls/0/items/0/key", to("form"), "E0624", "/decls/0/items/0/key", "by, source, clauses"),
    ("/decls/0/items/0/key", to("sauce"), "E0624", "/decls/0/items/0/key", "did you mean: source"),
    ("/decls/0/items/0/txt", to("x"), "E0620", "/decls/0/items/0/txt", "did you mean: text"),
    ("/decls/1/names", to("X"), "E0623", "/decls/1/names", "a list"),
    ("/decls/1/names", to([]), "E0627", "/decls/1/names", "at least 1"),
    ("/decls/1/names/0", to("player one"), "E0625", "/decls/1/names/0", "name"),
    ("/decls/1/names/0", to("1X"), "E0625", "/decls/1/names/0", "digit"),
    ("/decls/1/names/0", to(""), "E0625", "/decls/1/names/0", "name"),
    ("/decls/1/names/0", to({"kind": "name", "id": "X"}), "E0623", "/decls/1/names/0", "a name"),
    ("/decls/2/shapes/0/form", to("grit"), "E0624", "/decls/2/shapes/0/form", "did you mean: grid"),
    ("/decls/2/shapes/0/form", gone, "E0621", "/decls/2/shapes/0", "grid, hex, hex star, track"),
    ("/decls/2/shapes/0/sizes/0", to(3), "E0623", "/decls/2/shapes/0/sizes/0", "the number 3"),
    ("/decls/2/shapes/0/sizes/0/value", to("3"), "E0623", "/decls/2/shapes/0/sizes/0/value", "whole number"),
    ("/decls/2/shapes/0/sizes/0/value", to(-3), "E0628", "/decls/2/shapes/0/sizes/0/value", "-3"),
    ("/decls/2/shapes/0/sizes/0/value", to(10**10), "E0628", "/decls/2/shapes/0/sizes/0/value", "10000000000"),
    ("/decls/2/shapes/0/sizes/0/value", to(3.5), "E0623", "/decls/2/shapes/0/sizes/0/value", "3.5"),
    ("/decls/2/shapes/0/sizes/0/value", to(True), "E0623", "/decls/2/shapes/0/sizes/0/value", "true"),
    ("/decls/2/naming", to("number"), "E0624", "/decls/2/naming", "did you mean: numbers"),
    ("/decls/3/mistake", to("no"), "E0623", "/decls/3/mistake", "true or false"),
    ("/decls/3/mistake", gone, "E0621", "/decls/3", "mistake"),
    ("/decls/3/params/0/type", to("cell"), "E0623", "/decls/3/params/0/type", "named_type"),
    ("/decls/3/params/0/type/kind", to("ref"), "E0629", "/decls/3/params/0/type/kind", "named_type"),
    (f"{GUARD}/condition", gone, "E0621", GUARD, "condition"),
    (f"{GUARD}/condition/op", to("inn"), "E0624", f"{GUARD}/condition/op", "did you mean: in"),
    (f"{GUARD}/condition/left", renamed("lft"), "E0620", f"{GUARD}/condition/lft", "did you mean: left"),
    (f"{GUARD}/condition/left/kind", to("reff"), "E0622", f"{GUARD}/condition/left/kind", "did you mean: ref"),
    (f"{GUARD}/condition/left/kind", to("draw_game"), "E0629", f"{GUARD}/condition/left/kind", "draw_game"),
    (f"{GUARD}/notes/cites/0", to("@4.05"), "E0632", f"{GUARD}/notes/cites/0", "clause"),
    (f"{GUARD}/notes/cites/0", to(4.05), "E0623", f"{GUARD}/notes/cites/0", "clause"),
    (f"{GUARD}/notes/cites", renamed("cite"), "E0620", f"{GUARD}/notes/cite", "did you mean: cites"),
    (f"{GUARD}/notes/before", to("x"), "E0623", f"{GUARD}/notes/before", "a list"),
    (f"{GUARD}/notes/gap", to(1), "E0623", f"{GUARD}/notes/gap", "true or false"),
    (f"{GUARD}/notes", to([]), "E0623", f"{GUARD}/notes", "cites"),
    (f"{GUARD}/span", to([0, 1]), "E0620", f"{GUARD}/span", "no key span"),
    ("/decls/4/body/0/who/name", to("and"), "E0630", "/decls/4/body/0", "no text form"),
    ("/a~b", to(1), "E0620", "/a~0b", "a~b"),
    ("/comment", to("hi"), "E0620", "/comment", "kind, decls, after"),
]


def test_there_are_enough() -> None:
    assert len(BROKEN) >= 40


def test_the_base_is_fine() -> None:
    tree, problems = load_data(json.dumps(BASE), "x.json")
    assert problems == ()
    assert tree is not None


@pytest.mark.parametrize("case", BROKEN, ids=[f"{i}-{code}-{at}" for i, (at, _, code, _, _) in enumerate(BROKEN)])
def test_broken(case: tuple[str, Callable[[Any, Any], None], str, str, str]) -> None:
    at, change, code, pointer, word = case
    text = edited(at, change)
    tree, problems = load_data(text, "x.json")
    assert tree is None
    assert [(d.code, d.pointer) for d in problems] == [(code, pointer)]
    shown = render(problems[0])
    assert word in shown
    if pointer:
        assert f"pointer: {pointer}" in shown
    assert "x.json:" in shown


def test_all_faults_are_told_at_once() -> None:
    document = copy.deepcopy(BASE)
    document["decls"][0]["titel"] = 3
    document["decls"][1]["names"] = []
    document["decls"][3]["guards"][0]["condition"]["op"] = "on"
    _, problems = load_data(json.dumps(document), "x.json")
    assert [d.code for d in problems] == ["E0620", "E0627", "E0624"]


def test_no_flood() -> None:
    document = {"kind": "ruleset", "decls": [{"kind": "x"}] * 10_000}
    _, problems = load_data(json.dumps(document), "x.json")
    assert len(problems) == 50
