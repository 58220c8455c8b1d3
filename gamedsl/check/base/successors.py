"""Every way on from a state of the engine, in the canonical order: moves (then pass), values, outcomes of chance."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

from gamedsl.core.nodes import Alt, Chance, Choose, Decide, DecideDrawing, DecideTogether, End
from gamedsl.engine.moves import Move
from gamedsl.engine.play.actions import carry_out, mover_of, open_movers, tick
from gamedsl.engine.play.advance import advance, weights
from gamedsl.engine.state import State
from gamedsl.source.diagnostic import GameDSLError

KINDS = ("end", "player", "choose", "chance", "together", "drawing")
END, MOVE, CHOOSE, CHANCE, TOGETHER, DRAWING = range(len(KINDS))
KIND_OF = {End: END, Decide: MOVE, Choose: CHOOSE, Chance: CHANCE, DecideTogether: TOGETHER, DecideDrawing: DRAWING}


@dataclass(frozen=True)
class Successor:
    """One way on: its weight (1 unless chance falls) and where it leads, or the rules error that it ends in."""

    weight: int
    after: State | None
    error: GameDSLError | None = None


def kind_of(state: State) -> int:
    """The kind of a stop, as its number in ``KINDS``."""
    return KIND_OF[type(state.terminator)]


def seat_of(state: State) -> int:
    """The program's player to act (the first open one when several choose at once); -1 for chance and at the end."""
    acting = state.to_act
    return acting[0] if acting else -1


def ways(state: State) -> list[Successor]:
    """All ways on. None at the end of the play and for a drawing, which has no end of them.

    Raises ``GameDSLError`` when they can't even be listed, as a rule goes wrong in a condition.
    """
    return list(each_way(state))


def each_way(state: State) -> Iterator[Successor]:
    """As ``ways``, one at a time: in some rulesets one alone takes long."""
    match state.terminator:
        case Decide() as end:
            yield from _moves(state, end)
        case Chance():
            found = weights(state.game, list(state.slots), state.block)
            for (move, _), weight in zip(state.chance_outcomes(), found.values(), strict=True):
                yield _applied(state, move, weight)
        case End():
            pass
        case _:
            yield from (_applied(state, move) for move in state.legal_moves())


def move_of(state: State, number: int) -> Move:
    """The way with this number as a move."""
    if state.kind == "chance":
        return state.chance_outcomes()[number][0]
    return state.legal_moves()[number]


def drawn(state: State, seed: int, number: int) -> Move:
    """The drawing with this number, of the endlessly many that could be made here."""
    return state.propose(Random(f"drawing {seed} {number}"))


def drawings(state: State, seed: int, most: int) -> list[Successor]:
    """Some of the drawings that can be made here."""
    return [_applied(state, drawn(state, seed, k)) for k in range(most)]


def is_half(state: State) -> bool:
    """Will somebody else still choose in the same ply, after the way on from here?"""
    return isinstance(state.terminator, DecideTogether) and len(open_movers(state)) > 1


def _applied(state: State, move: Move, weight: int = 1) -> Successor:
    try:
        return Successor(weight, state.apply(move))
    except GameDSLError as error:
        return Successor(weight, None, error)


def _moves(state: State, end: Decide) -> Iterator[Successor]:
    """The legal moves carried out without asking the guards a second time; then the pass."""
    game, s = state.game, list(state.slots)
    mover = mover_of(state, None)
    assert mover is not None
    for alt in end.alternatives:
        if not game.program.schemas[alt.schema].mistake:
            for args in game.code.schemas[alt.schema].legal(s, mover, game.code.blocks[state.block].tick):
                yield _done(state, alt, mover, args)
    if end.may_pass is not None:
        yield _done(state, None, mover, ())


def _done(state: State, alt: Alt | None, mover: int, args: tuple[int, ...]) -> Successor:
    game, s, end = state.game, list(state.slots), state.terminator
    assert isinstance(end, Decide)
    try:
        tick(state, s)
        if alt is None:
            assert end.may_pass is not None
            return Successor(1, advance(game, s, end.may_pass))
        carry_out(game, s, alt, mover, args)
        return Successor(1, advance(game, s, alt.target))
    except GameDSLError as error:
        return Successor(1, None, error)
