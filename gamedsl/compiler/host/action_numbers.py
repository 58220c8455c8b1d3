"""The numbers of a game's actions, in the form that compiled code needs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from gamedsl.compiler.emit.lanes.lane_tables import ActionNumbers, Digit, KindNumbers
from gamedsl.engine import ActionKind, chance_text
from gamedsl.language.core import nodes as n

if TYPE_CHECKING:
    from gamedsl.engine import Game


def action_numbers(game: Game, bit_words: int = 0) -> ActionNumbers:
    """The numbers of a game's actions. ``bit_words``: the number of words for the legal actions as bits; 0 to list
    them."""
    passing = next((kind.first for kind in game.action_kinds if kind.kind == "pass"), -1)
    return ActionNumbers(_kinds(game), passing, tuple(_named(game)), bit_words)


def _kinds(game: Game) -> tuple[KindNumbers | None, ...]:
    """The numbers of the moves of every schema."""
    of_schema = {k.schema: KindNumbers(k.first, k.size, tuple(_digits(k))) for k in game.action_kinds}
    return tuple(of_schema.get(s.index) for s in game.program.schemas)


def _digits(kind: ActionKind) -> Iterator[Digit]:
    stride = kind.size
    for p in kind.parameters:
        stride //= max(1, p.size)
        yield Digit(p.low, p.size, stride)


def _named(game: Game) -> Iterator[tuple[int, ...]]:
    """Per block, the numbers of the values or outcomes of its stop."""
    for block in game.program.blocks:
        match block.end:
            case n.Choose(names=names):
                yield _numbers(game, "choose", [game.notation.choice_text(name) for name in names])
            case n.Chance(names=names, what=what):
                yield _numbers(game, "chance", [chance_text(what, name) for name in names])
            case _:
                yield ()


def _numbers(game: Game, kind: str, texts: list[str]) -> tuple[int, ...]:
    of_text = {t: a.first + i for a in game.action_kinds if a.kind == kind for i, t in enumerate(a.parameters[0].names)}
    return tuple(of_text[t] for t in texts)
