"""The layout of the tensor of an information state.

The tensor is a table in time: its *rows* hold what the seat noticed, in order; the remaining rows are zeros.

- If the rules hide nothing, a row is a move and the player who made it. The first features are what the seat saw where
the history began.
- If they hide something, a row has up to three things, in this order: the seat's own action, all values that it sees
  (after any of them has changed), and the stop with the actions that it may choose from. Each row takes as many of the
  next things as fit in this order.

So two tensors are equal exactly when the keys of their information states are.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from gamedsl.engine.errors import play_error
from gamedsl.engine.facts.observation_layout import (
    DIGIT_BITS,
    Feature,
    ObservationLayout,
    in_order,
    most_choices,
    observation_layout,
)
from gamedsl.engine.facts.variable_names import variable_names
from gamedsl.language.core import longest_play
from gamedsl.language.core import nodes as n
from gamedsl.language.source import lazy_dataclass

if TYPE_CHECKING:
    from gamedsl.engine.facts.numbered_rules import NumberedRules

MOST_ENTRIES = 1 << 27  # entries of a tensor: 512 MB
MOST_FLAGS = 1 << 12  # larger masks are packed
DIGEST_DIGITS = 3
ROW_PARTS = ("own action", "values", "stop")


@lazy_dataclass(frozen=True)
class InformationStateLayout(ObservationLayout):
    """The features of the tensor, in order. ``length``: the number of rows, the first axis of every feature except
    those of the start."""

    length: int


def information_state_layout(game: NumberedRules, length: int | None) -> InformationStateLayout:
    """The layout with ``length`` rows; None: as many as any game needs.

    Raises ``GameDSLError``: E0541 where players draw, E0543 if no length is given and none is proved, E0544 if the
    tensor has more than ``MOST_ENTRIES`` entries."""
    if "drawing" in game.kinds:
        help = "use the text of the information state"
        raise play_error("E0541", "a drawing has no number: there are infinitely many", help=help)
    rows = _proved_rows(game) if length is None else max(0, length)
    layout = InformationStateLayout(in_order(_features(game, rows)), (), rows)
    if layout.size > MOST_ENTRIES:
        message = f"a tensor of {rows:,} rows has {layout.size:,} entries, which is too large"
        help = f"give a smaller `length`: a row has {layout.size // rows:,} entries"
        raise play_error("E0544", message, help=help)
    return layout


def _proved_rows(game: NumberedRules) -> int:
    plies = longest_play(game.program, chance=True)
    if plies is None:
        claim = game.claimed_game_length
        claimed = f"; the ruleset claims an end within {claim} plies" if claim is not None else ""
        help = "give the number of rows: `information_state_tensor(seat, length=200)`"
        raise play_error("E0543", f"no bound on the length of a game is proved{claimed}", help=help)
    if game.secrets.hides:
        return 1 + 2 * plies * max(1, most_choices(game))
    return plies * max(1, 2 * most_choices(game))


def _features(game: NumberedRules, rows: int) -> Iterator[Feature]:
    if game.secrets.hides:
        meaning = f"the parts that the row has: {', '.join(ROW_PARTS)}"
        inner = [
            Feature("filled", meaning, (len(ROW_PARTS),), ("row part",), 0, 1, "row"),
            *_action(game, "own action", game.num_player_actions),
            *_legal(game),
            *_look(game),
        ]
    else:
        yield from (replace(f, name=f"start {f.name}") for f in _look(game))
        makers = (*game.players, "chance")
        inner = [
            Feature("who", f"who moved: {', '.join(makers)}", (len(makers),), ("maker",), 0, 1, "row"),
            *_action(game, "action", game.num_actions),
        ]
        if most_choices(game):
            inner.append(
                Feature("open", "whether this is the seat's own choice, not revealed yet", (), (), 0, 1, "row")
            )
    for f in inner:
        yield replace(f, shape=(rows, *f.shape), axes=("row", *f.axes))


def _action(game: NumberedRules, name: str, count: int) -> Iterator[Feature]:
    """An action as one-hot; in large spaces, its kind and each argument as one-hot."""
    factors = game.action_factors
    if count <= sum(factors):
        yield Feature(name, "the number of the action", (count,), ("action",), 0, 1, "row")
        return
    kinds = ", ".join(k.name for k in game.action_kinds)
    yield Feature(f"{name} kind", f"its kind: {kinds}", (factors[0],), ("kind",), 0, 1, "row")
    for place, size in enumerate(factors[1:], 1):
        meaning = f"the index of its argument {place}"
        yield Feature(f"{name} argument {place}", meaning, (size,), ("value",), 0, 1, "row")


def _legal(game: NumberedRules) -> Iterator[Feature]:
    count = game.num_player_actions
    if count <= MOST_FLAGS:
        meaning = "the seat's legal actions, if it is to act"
        yield Feature("legal", meaning, (count,), ("action",), 0, 1, "row")
        return
    digits = -(-count // DIGIT_BITS)
    meaning = f"the seat's legal actions, if it is to act: {DIGIT_BITS} actions each, as the bits of a number"
    yield Feature("legal", meaning, (digits,), ("digit",), 0, (1 << DIGIT_BITS) - 1, "row")


def _look(game: NumberedRules) -> Iterator[Feature]:
    """Everything that a seat sees at one time: the stop, and the values of all variables."""
    yield from (
        f for f in observation_layout(game, "whole").features if f.name != "own choice" or f.variable is not None
    )
    for var, name in zip(game.program.variables, variable_names(game.program), strict=True):
        if isinstance(var.type, n.HistoryT | n.DrawingT) and var.role != "temp" and not game.secrets.is_hidden(var):
            shape, axes = (DIGEST_DIGITS, *(k.size for k in var.keys)), ("digit", *(k.name for k in var.keys))
            meaning = f"a digest of {name}: equal for equal values"
            yield Feature(f"{name} digest", meaning, shape, axes, 0, (1 << DIGIT_BITS) - 1, "digest", var.index)
