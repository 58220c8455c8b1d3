"""Perft: counts the sequences of moves and chance outcomes of an exact length."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from gamedsl.engine.errors import play_error
from gamedsl.engine.moves import Move
from gamedsl.engine.play.actions import mover_of, open_movers
from gamedsl.engine.state import State


def perft(state: State, depth: int, divide: bool = False) -> int | dict[str, int]:
    """The number of sequences of exactly ``depth`` plies; with ``divide``, per first ply.

    A game that ends earlier counts nothing. A chance event has one branch per outcome. A simultaneous choice is one ply
    with one branch per joint action. Raises ``GameDSLError`` (E0507) for drawings, because there are infinitely many.
    """
    if not divide:
        return count_leaves(state, depth)
    if depth < 1:
        return {}
    return {text: count_leaves(after, depth - 1) for text, after in branches(state)}


def count_leaves(state: State, depth: int) -> int:
    """The number of sequences of exactly this length. The counts of equal positions are computed once."""
    return _count(state, depth, {})


def _count(state: State, depth: int, known: dict[tuple[State, int], int]) -> int:
    if depth <= 0:
        return 1
    if depth == 1:
        return width(state)
    key = (state, depth)
    if key not in known:
        known[key] = sum(_count(after, depth - 1, known) for _, after in branches(state))
    return known[key]


def width(state: State) -> int:
    """The number of branches at this state. Raises ``GameDSLError`` (E0507) for drawings."""
    match state.kind:
        case "end":
            return 0
        case "chance":
            return len(state.chance_outcomes())
        case "together":
            total = 1
            for player in _choosers(state):
                total *= state.count_moves(player)
            return total
        case "drawing":
            raise play_error("E0507", "there are infinitely many drawings, so sequences through one cannot be counted")
        case _:
            return state.count_moves()


def _choosers(state: State) -> list[int]:
    """The seats that still have to choose, once for each player of the part they act for."""
    seats = state.game.code.blocks[state.block].queries["seats"](state.slots)
    return [seats[m] for m in open_movers(state)]


def branches(state: State, notation: str | None = None) -> list[tuple[str, State]]:
    """All successors of a state, each with the text of its move (in a notation that the ruleset declares)."""
    if state.kind == "together":
        return _joint(state, notation)
    if state.kind == "drawing":
        width(state)
    moves: list[Move] = [m for m, _ in state.chance_outcomes()] if state.kind == "chance" else state.legal_moves()
    return [(_text(state, m, notation), state.apply(m)) for m in moves]


def _text(state: State, move: Move, notation: str | None) -> str:
    return str(move) if notation is None else state.move_text(move, notation)


def _joint(state: State, notation: str | None) -> list[tuple[str, State]]:
    players = _choosers(state)
    assert all(mover_of(state, p) is not None for p in players)
    found = []
    for combination in product(*(state.legal_moves(p) for p in players)):
        after = state
        for move in combination:
            after = after.apply(move)
        text = ", ".join(
            f"{state.game.players[p]}: {_text(state, m, notation)}" for p, m in zip(players, combination, strict=True)
        )
        found.append((text, after))
    return found


def count_turns(state: State, depth: int) -> int:
    """The number of sequences of exactly this many turns, as in published counts for games with turns of several plies.
    A turn is what one player does until another one is to act, or the game is over."""
    return _count_turns(state, depth, {})


def _count_turns(state: State, depth: int, known: dict[tuple[State, int], int]) -> int:
    if depth <= 0:
        return 1
    key = (state, depth)
    if key not in known:
        known[key] = sum(_count_turns(after, depth - 1, known) for _, after in turns(state))
    return known[key]


def turns(state: State, notation: str | None = None) -> Iterator[tuple[str, State]]:
    """All ways to complete a turn, each with the texts of its plies, joined by commas."""
    yield from _turns(state, (), None, notation)


def _turns(
    state: State, made: tuple[str, ...], owner: tuple[int, ...] | None, notation: str | None
) -> Iterator[tuple[str, State]]:
    acting = _whose(state)
    if owner is not None and (state.is_terminal or acting not in ((), owner)):
        yield ", ".join(made), state
        return
    for text, after in branches(state, notation):
        yield from _turns(after, (*made, text), owner or acting or None, notation)


def _whose(state: State) -> tuple[int, ...]:
    """The players whose turn it is; none at a chance event that belongs to no player's turn."""
    if state.kind != "chance":
        return state.to_act
    # start-up
    from gamedsl.engine.positions.to_move import mover_variable, seat_of

    var = mover_variable(state)
    return () if var is None else (seat_of(state, var),)
