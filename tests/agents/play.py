"""Games, positions and plays for the tests of agents."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

import gamedsl
from gamedsl import Game, State
from gamedsl.agents import Agent, kept_data, parse_agent
from gamedsl.agents.position import compiled
from gamedsl.compiler import Native
from tests.shipped_sample import small

CLASSICS = Path(__file__).parents[2] / "rulesets" / "classics"


def after(game: Game, *moves: str) -> State:
    """The position after some moves."""
    state = game.initial_state()
    for text in moves:
        state = state.apply(game.parse_move(text, state))
    return state


def played(game: Game, *texts: str, seed: int = 1) -> State:
    """The end of a play between these agents, in the order of the players."""
    agents: list[Agent] = [parse_agent(text) for text in texts]
    state, rng = game.initial_state(), Random(seed)
    while not state.is_terminal:
        if state.kind == "chance":
            state = state.apply(state.propose(rng))
        else:
            player = state.to_act[0]
            state = state.apply(agents[player].choose(state, rng.getrandbits(60), player))
    return state


def wins_at_once(state: State) -> list[str]:
    """The moves that end the play with a win for who makes them; found without any search."""
    player = state.current_player
    return [str(m) for m in state.legal_moves() if player in state.apply(m).winners]


def own_game(folder: Path, text: str) -> Game:
    path = folder / "own.gdl"
    path.write_text(text, encoding="utf-8")
    return gamedsl.load(path)


def decision(name: str, plies: int = 20) -> State:
    """A position in a random game of about so many plies in which a player chooses among moves."""
    for seed in range(100):
        state, rng = gamedsl.load(name, **small(name)).initial_state(), Random(seed)
        last, made = state, 0
        while made < plies and state.kind != "end":
            made += state.kind != "chance"  # a long deal comes before anybody chooses
            state = state.apply(state.propose(rng))
            last = state if state.kind in ("player", "together") and state.count_moves() > 1 else last
        if last.kind in ("player", "together") and last.count_moves() > 1:
            return last
    raise AssertionError(f"nobody chooses in {name}")


def fresh(name: str, **options: Any) -> Native:
    """Compiled rules for which nothing has been learned in this process."""
    native = compiled(gamedsl.load(name, **options))
    for kept in ("leaf_value", "best_value", "leaf_test"):
        vars(native).pop(kept, None)
    return native


def watch_kept_data(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What agents find out is made anew from now on. Returns the data by name, as they are made."""
    kept = dict[str, Any]()

    def keep(*args: Any) -> bytes:
        made: bytes = args[-1]()
        kept[args[1]] = json.loads(made)
        return made

    monkeypatch.setattr(kept_data, "cached_data", keep)
    return kept


def resident() -> int:
    """The bytes of memory that this process has for itself, also those that the system has moved out of the way."""
    with open("/proc/self/status", encoding="ascii") as file:
        sizes = dict(line.split(":", 1) for line in file)
    return sum(int(sizes[name].split()[0]) for name in ("RssAnon", "VmSwap")) * 1024
