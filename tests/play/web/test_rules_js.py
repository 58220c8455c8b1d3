"""The page's modules for rules and search, run by Node: they play as the engine does, and play what is proved."""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.cli.main import main
from gamedsl.compiler import compile_program
from gamedsl.play.web import wasm_files
from gamedsl.play.web.offline.playable_data import playable_data

NODE = shutil.which("node")
pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
STATIC = Path(gamedsl.__file__).parent / "play" / "web" / "static"
CHECK = Path(__file__).with_name("rules_check.mjs")
QUICK = ["nim", "tic-tac-toe", "rock-paper-scissors"]
ROOT = Path(__file__).parents[3]
NAMES = sorted(p.stem for p in [*ROOT.glob("rulesets/*.gdl"), *ROOT.glob("rulesets/classics/*.gdl")])
SEED = 7


@cache
def _files(name: str, searches: bool) -> Any:
    return (playable_data if searches else wasm_files)(gamedsl.load(name))


def asked(folder: Path, name: str, *task: object) -> Any:
    found = _files(name, task[0] == "search")
    (folder / f"{name}.wasm").write_bytes(found.code)
    (folder / f"{name}.json").write_text(json.dumps(found.facts), encoding="utf-8")
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / f"{name}.wasm"), *map(str, task)]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def plays_alike(folder: Path, name: str) -> None:
    game = gamedsl.load(name)
    tally = compile_program(game.program).playouts(20, SEED, lockstep=False)
    words = [int(w) for w in asked(folder, name, "plays", 20, SEED)]
    players = game.num_players
    sums = [struct.unpack("<d", struct.pack("<q", words[3 + 5 * p]))[0] for p in range(players)]
    assert (words[0], words[1], tuple(sums)) == (tally.plays, tally.plies, tally.sums)
    assert tuple(words[3 + 5 * players :]) == tally.lengths


def moves_alike(folder: Path, name: str) -> None:
    game = gamedsl.load(name)
    state = game.initial_state()
    if state.kind == "drawing":
        return
    found = asked(folder, name, "moves", SEED)
    for ply in found["seen"]:
        legal = sorted(state.legal_actions())
        assert (ply["kind"], ply["legal"]) == (state.kind, legal)
        assert state.kind == "chance" or ply["actors"] == list(state.to_act)
        kind, *values = game.action_parts(ply["action"])
        assert ply["parts"] == {"kind": kind, "values": values}
        state = state.apply_action(ply["action"])
    assert found["returns"] is None or found["returns"] == list(state.returns)


@pytest.mark.parametrize("name", QUICK)
def test_it_plays_as_the_engine_does(tmp_path: Path, name: str) -> None:
    plays_alike(tmp_path, name)
    moves_alike(tmp_path, name)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_every_ruleset_plays_as_the_engine_does(tmp_path: Path, name: str) -> None:
    plays_alike(tmp_path, name)
    moves_alike(tmp_path, name)


def test_a_proved_win_is_played(tmp_path: Path) -> None:
    """X has the middle and a corner; O is elsewhere, so the third corner wins at once."""
    game = gamedsl.load("tic-tac-toe")
    state, actions = game.initial_state(), []
    for text in ("b2", "b1", "a1", "a2"):
        move = next(m for m in state.legal_moves() if m.text == text)
        actions.append(game.action(move))
        state = state.apply(move)
    found = asked(tmp_path, "tic-tac-toe", "search", 500, *actions)
    assert found["proved"] and found["returns"] == [1, -1] and found["forgotten"]
    assert state.apply_action(found["action"]).returns == (1, -1)


def test_the_value_of_a_small_game_is_approached(tmp_path: Path) -> None:
    """Tic-tac-toe is a draw; random plays give the first player 0.29 on average, and the search less than half of it."""
    found = asked(tmp_path, "tic-tac-toe", "search", 20_000)
    assert abs(found["returns"][0]) < 0.15 and found["returns"][0] == -found["returns"][1]


def test_the_command_writes_both_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    target = tmp_path / "game.wasm"
    assert main(["export", "m-n-k", "--to", "wasm", "--output", str(target), "--set", "m=4"]) == 0
    facts = json.loads((tmp_path / "game.json").read_text(encoding="utf-8"))
    assert target.read_bytes().startswith(b"\0asm") and facts["game"]["options"]["m"] == "4"
    assert "game.json" in capsys.readouterr().out


def test_what_goes_wrong_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["export", "m-n-k", "--to", "json", "--set", "m=4"]) == 2
    assert main(["export", "nim", "--to", "wasm", "--output", str(tmp_path / "no" / "x.wasm")]) == 5
    assert "Traceback" not in capsys.readouterr().err
