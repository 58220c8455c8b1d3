"""Small rulesets from text, for tests of what the language means."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import gamedsl
from gamedsl import Game, State


def game(folder: Path, text: str, backend: str = "interpreter", **options: str | int | bool) -> Game:
    path = folder / "ruleset.gdl"
    path.write_text(dedent(text), encoding="utf-8")
    return gamedsl.load(path, backend=backend, **options)


def after(game_: Game, *moves: str) -> State:
    """The state after some moves (chance outcomes among them) from the start."""
    state = game_.initial_state()
    for text in moves:
        state = state.apply(game_.parse_move(text, state))
    return state


def texts(state: State) -> list[str]:
    return [str(m) for m in state.legal_moves()]
