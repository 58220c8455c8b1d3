"""A move: one choice by one player, or one outcome of chance."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from gamedsl.engine.values import Stroke
from gamedsl.source.text import Span

MoveKind = Literal["move", "pass", "choose", "chance", "drawing"]


@dataclass(frozen=True)
class Move:
    """``str(move)`` is its notation: unique among all moves of the game, read back by ``Game.parse_move`` in every state.

    ``schema`` and ``args`` are the kind of move and its parameters' codes (kind "move" only; a chosen value and an
    outcome of chance are known by their names). ``player`` is the program's player, None for chance.
    """

    kind: MoveKind
    schema: int | None
    name: str
    player: int | None
    args: tuple[int, ...]
    text: str
    drawing: tuple[Stroke, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Refusal:
    """One reason why a move is not legal: what to tell the player, the clauses and the place of the rule.

    ``look_ahead``: it was found by trying what comes after the move.
    """

    message: str
    clauses: tuple[str, ...] = ()
    span: Span | None = None
    look_ahead: bool = False
