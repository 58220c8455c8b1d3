"""The successors of an engine state in canonical order: moves (then the pass), values, or chance outcomes."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from gamedsl.engine import Move, State, advance, carry_out, mover_of, open_movers, tick, weights
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

KINDS = ("end", "player", "choose", "chance", "together", "drawing")
END, MOVE, CHOOSE, CHANCE, TOGETHER, DRAWING = range(len(KINDS))


class Successor(NamedTuple):
    """One successor: its weight (1 except for chance) and the state, or the rules error raised on the way."""

    weight: int
    after: State | None
    error: GameDSLError | None = None


def kind_of(state: State) -> int:
    """Returns what the state waits for, as an index into ``KINDS``."""
    return state.terminator.kind


def seat_of(state: State) -> int:
    """Returns the index of the player to act (the first one still to choose in a simultaneous choice); -1 for chance
    and at the end.
    """
    acting = state.to_act
    return acting[0] if acting else -1


def successors(state: State) -> list[Successor]:
    """Returns all successors; none at the end of the game, and none for a drawing, which has infinitely many.

    Raises ``GameDSLError`` if they cannot even be listed because a condition fails with a rules error.
    """
    return list(each_successor(state))


def each_successor(state: State) -> Iterator[Successor]:
    """Like ``successors``, but lazily: in some rulesets computing a single successor takes long."""
    match state.terminator:
        case n.Decide() as end:
            yield from _moves(state, end)
        case n.Chance():
            found = weights(state.game, list(state.slots), state.block)
            for (move, _), weight in zip(state.chance_outcomes(), found.values(), strict=True):
                yield _applied(state, move, weight)
        case n.End():
            pass
        case _:
            yield from (_applied(state, move) for move in state.legal_moves())


def move_of(state: State, number: int) -> Move:
    """Returns the action with this number as a move."""
    if state.kind == "chance":
        return state.chance_outcomes()[number][0]
    return state.legal_moves()[number]


def numbered_drawing(state: State, seed: int, number: int) -> Move:
    """Returns the drawing with this number, out of infinitely many possible here."""
    return state.propose(Random(f"drawing {seed} {number}"))


def drawings(state: State, seed: int, most: int) -> list[Successor]:
    """Returns ``most`` of the drawings possible here."""
    return [_applied(state, numbered_drawing(state, seed, k)) for k in range(most)]


def is_half(state: State) -> bool:
    """Whether another player will still choose in the same ply after the next action."""
    return isinstance(state.terminator, n.DecideTogether) and len(open_movers(state)) > 1


def _applied(state: State, move: Move, weight: int = 1) -> Successor:
    try:
        return Successor(weight, state.apply(move))
    except GameDSLError as error:
        return Successor(weight, None, error)


def _moves(state: State, end: n.Decide) -> Iterator[Successor]:
    """Applies the legal moves without evaluating their guards again; then the pass."""
    game, s = state.game, list(state.slots)
    mover = mover_of(state, None)
    assert mover is not None
    for alt in end.alternatives:
        if not game.program.schemas[alt.schema].mistake:
            for args in game.code.schemas[alt.schema].legal(s, mover, game.code.blocks[state.block].tick):
                yield _done(state, alt, mover, args)
    if end.may_pass is not None:
        yield _done(state, None, mover, ())


def _done(state: State, alt: n.Alt | None, mover: int, args: tuple[int, ...]) -> Successor:
    game, s, end = state.game, list(state.slots), state.terminator
    assert isinstance(end, n.Decide)
    try:
        tick(state, s)
        if alt is None:
            assert end.may_pass is not None
            return Successor(1, advance(game, s, end.may_pass))
        carry_out(game, s, alt, mover, args)
        return Successor(1, advance(game, s, alt.target))
    except GameDSLError as error:
        return Successor(1, None, error)
