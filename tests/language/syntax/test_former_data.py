"""The data form as earlier versions wrote it: claims with the key ``form``, and cells cut from a board as names."""

from __future__ import annotations

import json

import pytest

from gamedsl.language.syntax.data.dump import dump_json
from gamedsl.language.syntax.data.load import load_data
from gamedsl.language.syntax.parser import parse_text
from tests.language.syntax.plain_data import to_data

TRUE = {"kind": "bool", "value": True}
FALSE = {"kind": "bool", "value": False}
NINE = {"kind": "int", "value": 9}
FORMER = [
    ("always yes", {"form": "always", "condition": TRUE}),
    ("never no", {"form": "never", "condition": FALSE}),
    ("reachable yes", {"form": "reachable", "condition": TRUE}),
    ("yes leads to no", {"form": "leads to", "condition": TRUE, "then": FALSE}),
    ("ends", {"form": "ends"}),
    ("ends within 9 plies", {"form": "ends", "bound": NINE}),
    ("used go, stay", {"form": "used", "uses": ["go", "stay"]}),
    ("balanced within 9%", {"form": "balanced", "bound": NINE}),
]


@pytest.mark.parametrize(("text", "former"), FORMER, ids=[text for text, _ in FORMER])
def test_a_claim_of_an_earlier_version_is_read_as_it_was_meant(text: str, former: dict[str, object]) -> None:
    notes = {"cites": ["4.05c"], "behind": "as it was"}
    written = {"kind": "ruleset", "decls": [{"kind": "claim_decl", "name": "so it is", **former, "notes": notes}]}
    tree, problems = load_data(json.dumps(written))
    assert tree is not None, problems
    assert tree == parse_text(f'claim "so it is": {text} @4.05c  # as it was\n', "x.gdl")
    assert to_data(tree) != written
    assert load_data(dump_json(tree))[0] == tree


def test_what_is_wrong_in_a_former_claim_is_told_where_it_stands() -> None:
    wrong = {"kind": "claim_decl", "form": "always", "condition": {"kind": "bool", "value": 3}}
    _, problems = load_data(json.dumps({"kind": "ruleset", "decls": [wrong]}))
    assert [(p.code, p.pointer) for p in problems] == [("E0623", "/decls/0/condition/value")]


def test_an_unknown_form_is_no_former_claim() -> None:
    wrong = {"kind": "claim_decl", "form": "allways", "condition": TRUE}
    _, problems = load_data(json.dumps({"kind": "ruleset", "decls": [wrong]}))
    assert {p.code for p in problems} == {"E0620", "E0621"}


def test_cut_cells_of_an_earlier_version_are_read_as_they_were_meant() -> None:
    sizes = [{"kind": "int", "value": 3}, {"kind": "int", "value": 3}]
    shape = {"kind": "board_shape", "form": "grid", "sizes": sizes}
    board = {"kind": "board_decl", "shapes": [shape], "without": ["a1", "c3"]}
    tree, problems = load_data(json.dumps({"kind": "ruleset", "decls": [board]}))
    assert tree is not None, problems
    assert tree == parse_text("board grid 3 by 3 without a1, c3\n", "x.gdl")
    assert load_data(dump_json(tree))[0] == tree
