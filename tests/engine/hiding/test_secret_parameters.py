"""A parameter that is seen by its mover alone is told to nobody else, and the default claim notices who could conclude it."""

from __future__ import annotations

from pathlib import Path

from gamedsl.engine import Game, InterpretedGame
from gamedsl.lab.base import Status
from gamedsl.lab.claims.default_secrets import check_secret_parameters
from gamedsl.language.rules import load_program

from . import Steps, game_of, told

TEXT = """
game "Bids"
players one, two
state
  bid: player -> 0..3{seen}
move offer(n: 1..3 seen by owner) written "{{n}}"
  set bid[me] to n
play
  turns from one, 2 times
    me plays offer
  rank by bid
"""


def bids(folder: Path, seen: str) -> Game:
    path = folder / "bids.gdl"
    path.write_text(TEXT.format(seen=seen), encoding="utf-8")
    return InterpretedGame(load_program(path, {}))


def steps_of(game: Game, *texts: str) -> Steps:
    steps: Steps = [(game.initial_state(), None)]
    for text in texts:
        move = game.parse_move(text, steps[-1][0])
        steps.append((steps[-1][0].apply(move), move))
    return steps


def test_a_rank_cannot_be_concluded() -> None:
    (verdict,) = check_secret_parameters(game_of("scouts").initial_state())
    assert verdict.status == Status.HOLDS


def test_what_is_written_openly_is_noticed(tmp_path: Path) -> None:
    """The rival is not told the bid, but sees it."""
    game = bids(tmp_path, "")
    assert told(steps_of(game, "2", "3"), 1) == ["0: offer (hidden)", "1: 3"]
    (verdict,) = check_secret_parameters(game.initial_state())
    assert verdict.status == Status.VIOLATED
    assert "`n`" in verdict.detail
    assert verdict.evidence is not None
    assert len(verdict.evidence.moves) == 1


def test_hidden_bids(tmp_path: Path) -> None:
    game = bids(tmp_path, ", seen by owner")
    assert told(steps_of(game, "2", "3"), 1)[-1] == "1: 3"
    (verdict,) = check_secret_parameters(game.initial_state())
    assert verdict.status == Status.HOLDS
    assert list(check_secret_parameters(game_of("kuhn").initial_state())) == []
