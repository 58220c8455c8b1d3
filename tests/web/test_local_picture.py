"""The page alone shows what the engine shows: pictures, turns and reasons of compiled rules, run by Node."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl.engine import Game, Sheet, State
from gamedsl.picture import CLEAN, Scars, scars_of
from gamedsl.web import describe_position, describe_reasons, playable_data
from tests.web.test_rules_js import NAMES, NODE, STATIC

pytestmark = pytest.mark.skipif(NODE is None, reason="Node is not installed")
CHECK = Path(__file__).with_name("local_check.mjs")
QUICK = [
    "nim",
    "hex",
    "leduc-poker",
    "rock-paper-scissors",
    "x-s-and-lines",
    "horn-tiles",
    "tic-tac-toe",
    "t-tic-t-tac-toe",
]
MOST_PLIES, ASKED = 60, 3
Json = dict[str, Any]


def _play(game: Game, seed: int) -> list[State]:
    """The states of a random play up to ``MOST_PLIES``, without drawings."""
    rng, state = Random(seed), game.initial_state()
    found = [state]
    while not state.is_terminal and len(found) <= MOST_PLIES and state.kind != "drawing":
        state = state.apply(state.propose(rng))
        found.append(state)
    return found


def _asked(game: Game, state: State, rng: Random) -> list[tuple[int, int]]:
    """Some actions of the kinds that are offered, mostly illegal ones."""
    if state.is_terminal or state.kind in ("drawing", "chance"):
        return []
    seat = state.to_act[0]
    kinds = describe_position(state, seat)["turn"]["kinds"]
    found = []
    for _ in range(ASKED if kinds else 0):
        kind = game.action_kinds[rng.choice(kinds)]
        found.append((rng.randrange(kind.first, kind.first + kind.size), seat))
    return found


def compare(folder: Path, name: str, seed: int = 1) -> int:
    """Returns how many positions were compared."""
    game, rng = gamedsl.load(name), Random(seed)
    if game.initial_state().kind == "drawing":
        return 0
    states = _play(game, seed)
    files = playable_data(game)
    (folder / "g.wasm").write_bytes(files.code)
    (folder / "g.json").write_text(json.dumps(files.facts), encoding="utf-8")
    plies = [game.action(after.history[-1]) for after in states[1:]]
    seats: list[int | None] = [None, *range(game.num_players)]
    asked = [_asked(game, state, rng) for state in states]
    (folder / "play.json").write_text(json.dumps({"plies": plies, "seats": seats, "asked": asked}), encoding="utf-8")
    arguments = [str(NODE), str(CHECK), str(STATIC), str(folder / "g.wasm"), str(folder / "play.json")]
    done = subprocess.run(arguments, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr[-3000:]
    lines, sheets = iter(done.stdout.splitlines()), [Sheet()]
    for before, after in pairwise(states):
        sheets.append(sheets[-1].after(before, after.history[-1], after))
    for i, state in enumerate(states):
        scars = replace(CLEAN, ended=sheets[i].ended) if game.secrets.hides else scars_of(sheets[i], state)
        for seat in seats:
            told = json.loads(next(lines))
            _same(game, state, seat, told, asked[i], scars)
            if i < len(plies):
                assert told["next"] == game.action_text(plies[i])
    return len(states) * len(seats)


def _same(game: Game, state: State, seat: int | None, told: Json, asked: list[tuple[int, int]], scars: Scars) -> None:
    expected = json.loads(json.dumps(describe_position(state, seat, scars=scars)))
    for line in expected["picture"]["beside"]:  # the page alone shows scores without how they come about
        line.pop("because", None), line.pop("places", None)
    assert told["picture"] == expected["picture"]
    turn = expected["turn"]
    if turn["chance"] is not None:
        turn["chance"]["outcomes"] = []
    turn["actions"].sort()
    if state.kind == "together" and seat != state.to_act[0]:  # here simultaneous choices are made one by one
        turn["kinds"], turn["actions"] = [], []
    assert told["turn"] == turn
    for (action, who), found in zip([a for a in asked if a[1] == seat], told["reasons"], strict=True):
        assert found == json.loads(json.dumps(describe_reasons(state, action, who))), game.action_text(action)


@pytest.mark.parametrize("name", QUICK)
def test_the_page_alone_shows_what_the_engine_shows(tmp_path: Path, name: str) -> None:
    assert compare(tmp_path, name) > 1


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_the_page_alone_shows_every_ruleset_as_the_engine_does(tmp_path: Path, name: str) -> None:
    compare(tmp_path, name)
