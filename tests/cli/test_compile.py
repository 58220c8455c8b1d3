"""``gamedsl compile``: what it says of shipped rulesets whose shape is known."""

from __future__ import annotations

import json

import llvmlite.binding as llvm
import pytest

from gamedsl.cli import compile_command
from gamedsl.cli.compile_command import changed
from gamedsl.cli.main import main
from gamedsl.compiler.compile.compile_report import MODULES

Capture = pytest.CaptureFixture[str]


def told(capsys: Capture, *arguments: str) -> str:
    assert main(["compile", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return out


def test_rules_that_are_taken_apart(capsys: Capture) -> None:
    out = told(capsys, "tic-tac-toe")
    assert "playouts are specialized" in out
    assert "constant in each: winners, player to move" in out
    assert "checks: 2 checks proved and omitted" in out
    assert "which only shrinks: complement((mark[player.X] | mark[player.O]))" in out
    assert "8 lines within mark[player.O]" in out
    assert "several games at once: yes" in out


def test_moves_by_masks(capsys: Capture) -> None:
    """White goes straight on or slantwise: a row of eight is 8 places further, slantwise 7 and 9."""
    out = told(capsys, "breakthrough")
    assert "steps of +7, +8, +9" in out and "steps of -9, -8, -7" in out


@pytest.mark.parametrize(
    ("game", "reason"),
    [
        ("chess", "a move in a look-ahead has a check"),
        ("backgammon", "a move in a look-ahead can fail on the way"),
    ],
)
def test_rules_that_are_not_taken_apart(game: str, reason: str, capsys: Capture) -> None:
    out = told(capsys, game)
    assert f"playouts use the generic code: {reason}" in out
    assert "several games at once: no" in out


def test_options_are_read(capsys: Capture) -> None:
    sizes = [
        json.loads(told(capsys, "m-n-k", "--format", "json", "-s", f"m={n}", "-s", f"n={n}"))["state_bytes"]
        for n in (3, 9)
    ]
    assert sizes[0] < sizes[1]


def test_json(capsys: Capture) -> None:
    data = json.loads(told(capsys, "hex", "--format", "json", "--passes", "--ir"))
    assert data["specialized"] and data["why_not_specialized"] is None
    assert data["state_bytes"] % 8 == 0
    assert [m["name"] for m in data["modules"]] == list(MODULES) == list(compile_command.MODULES)
    assert all(m["code_bytes"] > 1000 and m["seconds_llvm"] > 0 for m in data["modules"])
    names = [p["name"] for p in data["passes"]]
    assert names[0] == "specialize" and "lift plans" in names
    assert "red" in data["core"] and all(p["core"].startswith("program hex") for p in data["passes"])
    assert any("is reached within stone[player.red]" in line for line in data["kept"])
    llvm.parse_assembly(data["ir"]).verify()


def test_the_llvm_text_alone(capsys: Capture) -> None:
    for words, expected in ((("--ir",), {"quick"}), (("--ir", "rules"), {"legal", "after", "kind", "do"})):
        module = llvm.parse_assembly(told(capsys, "nim", *words))
        assert expected <= {f.name for f in module.functions if not f.is_declaration}


def test_passes(capsys: Capture) -> None:
    out = told(capsys, "tic-tac-toe", "--passes")
    before, _, after = out.partition("-- after specialize")
    assert "decide player to move" in before
    assert "decide player.X as player.X" in after and "decide player to move" not in after
    assert "check " in before and "check " not in after.partition("-- after dead checks")[2]


def test_only_what_is_new() -> None:
    before = "a\n  b\nc\n"
    assert changed(before, "a\n  b\nc\n  d\n") == ["c\n  d"]
    assert changed(before, before) == []
