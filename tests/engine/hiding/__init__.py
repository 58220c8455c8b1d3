"""Small rulesets that hide something, and all that a seat of a play is shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

from gamedsl.engine import Game, InterpretedGame
from gamedsl.engine.information.announcements import announced_plies
from gamedsl.engine.moves import Move
from gamedsl.engine.records.record import Record
from gamedsl.engine.state import State
from gamedsl.language.rules import load_program

FOLDER = Path(__file__).parent
NAMES = ("kuhn", "ranks", "peeks", "scouts", "bids", "phantom-tic-tac-toe", "rock-paper-scissors")


@cache
def game_of(name: str) -> Game:
    own = FOLDER / f"{name}.gdl"
    return InterpretedGame(load_program(own if own.exists() else name, {}))


Steps = list[tuple[State, Move | None]]


def random_play(game: Game, seed: int, most: int = 40) -> Steps:
    rng = Random(seed)
    steps: Steps = [(game.initial_state(), None)]
    while not steps[-1][0].is_terminal and len(steps) <= most:
        move = steps[-1][0].propose(rng)
        steps.append((steps[-1][0].apply(move), move))
    return steps


def prefixes(steps: Steps) -> Iterator[Steps]:
    for n in range(1, len(steps) + 1):
        yield steps[:n]


def history(steps: Steps, seat: int) -> str:
    """All that a seat has observed so far, without what did not change, and its own moves."""
    found: list[object] = []
    for state, move in steps:
        if move is not None and move.player == seat:
            found.append(str(move))
        seen = state.observation(seat)
        if state.kind == "player" and seat in state.to_act:
            seen["legal"] = [str(m) for m in state.legal_moves(seat)]
        if not found or found[-1] != seen:
            found.append(seen)
    return json.dumps(found)


def told(steps: Steps, seat: int | None) -> list[str]:
    return [f"{one.player}: {one.text}" for _, one in announced_plies(steps, seat)]


def record_of(game: Game, steps: Steps) -> Record:
    record = Record.begin(game, game.program.name, 7)
    for _, move in steps[1:]:
        assert move is not None
        record = record.plus_move(game, move)
    return record
