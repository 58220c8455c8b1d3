"""Repeats playouts of compiled rules on the engine, from their records."""

from __future__ import annotations

from collections.abc import Sequence

from gamedsl.engine import Move, RulesError, State, chance_move, weights
from gamedsl.lab.simulate.reference_plays import Plan, told
from gamedsl.language.core import nodes as n

Record = tuple[int, ...]  # kind of move (or a negative number), mover (or value, or outcome), arguments


def move_of(state: State, record: Record) -> Move:
    """Returns the move that a record represents. Raises ``ValueError`` if it is not legal here, and ``RulesError``."""
    kind, number, *args = record
    end = state.terminator
    if isinstance(end, n.Chance):
        if number not in weights(state.game, list(state.slots), state.block):
            raise ValueError(f"{end.names[number]} cannot be drawn here")
        return chance_move(end.what, end.names[number])
    for move in state.legal_moves():
        if isinstance(end, n.Choose):
            same = move.text == state.game.notation.choice_text(end.names[number])
        elif kind < 0:
            same = move.kind == "pass"
        else:
            same = move.schema == kind and list(move.args) == args[: len(move.args)]
        if same:
            return move
    raise ValueError(f"the action {record} is not legal here")


def follow(plan: Plan, number: int, records: Sequence[Record]) -> None:
    """Repeats a playout, up to where compiled rules failed.

    Raises the engine's ``RulesError``, with the moves that lead there, if it fails too.
    """
    moves: list[Move] = []
    state = plan.start
    try:
        for record in records:
            move = move_of(state, record)
            moves.append(move)
            state = state.apply(move)
        if not state.is_terminal:
            _ = state.legal_moves() if state.kind != "chance" else state.chance_outcomes()
    except RulesError as mistake:
        raise told(mistake, plan, number, moves) from None
