"""The rules as data, run by the page's modules in Node, are those of the engine: values and legal moves after every ply."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Game, History, Move, State
from gamedsl.language.core.nodes import DrawingT
from gamedsl.play.web.offline.core_data import rules_data
from tests.engine.hiding import Steps, random_play
from tests.play.web.test_rules_js import NAMES, NODE, STATIC
from tests.shipped_sample import sampled

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("core_rules_check.mjs")
MOST_PLIES = 12
STACKS = """
game "Stacks"
players one, two
board grid 3 by 1
state
  pile: cell -> stack of 1..3 up to 4
  taken: player -> 0..20
move lay(c: cell, n: 1..3) written "{c} {n}"
  when height(pile[c]) < 4 "full"
  when after this: not some d in cell: height(pile[d]) > 2 and top(pile[d]) = pile[d] at 1 "no round piles"
  push n on pile[c]
move take(c: cell) written "take {c}"
  when height(pile[c]) > 1 "too low"
  when (count k in moves(me, lay): after k: top(pile[c]) > 1) > 2 "keep some"
  add top(pile[c]) to taken[me]
  pop pile[c]
play
  turns from one, 14 times
    me plays lay | take
  rank by taken
"""


def written(move: Move) -> dict[str, Any]:
    if move.kind == "move":
        return {"kind": "move", "player": move.player, "schema": move.schema, "args": list(move.args)}
    return {"kind": move.kind, "player": move.player, **({} if move.kind == "pass" else {"text": move.text})}


def value_text(value: Any) -> str:
    if isinstance(value, History):
        return ";".join(sorted(f"{','.join(map(str, position))}*{n}" for position, n in value.items()))
    return f"[{','.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def shown(state: State) -> dict[str, Any]:
    if state.kind == "chance":
        moves = [[written(m) for m, _ in state.chance_outcomes()]]
    else:
        moves = [[written(m) for m in state.legal_moves(seat, mistakes=True)] for seat in state.to_act]
    pending = [[mover, number, list(args)] for mover, number, args in state.pending]
    return {"block": state.block, "values": list(map(value_text, state.slots)), "pending": pending, "moves": moves}


def compare(folder: Path, game: Game, steps: Steps) -> None:
    data = {"core": rules_data(game), "plies": [written(m) for _, m in steps if m is not None]}
    (folder / "game.json").write_text(json.dumps(data), encoding="utf-8")
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "game.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    for (state, _), found in zip(steps, json.loads(done.stdout), strict=True):
        assert found == shown(state)


@pytest.mark.parametrize("name", sampled(NAMES, "test_the_page_plays_as_the_engine_does"))
def test_the_page_plays_as_the_engine_does(tmp_path: Path, name: str) -> None:
    game = gamedsl.load(name)
    if any(isinstance(v.type, DrawingT) for v in game.program.variables):
        pytest.skip("players draw")
    compare(tmp_path, game, random_play(game, 3, MOST_PLIES))


def test_stacks_and_look_ahead(tmp_path: Path) -> None:
    path = tmp_path / "stacks.gdl"
    path.write_text(STACKS, encoding="utf-8")
    game = gamedsl.load(path)
    for seed in range(3):
        compare(tmp_path, game, random_play(game, seed))
