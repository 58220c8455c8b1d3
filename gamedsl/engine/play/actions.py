"""The players who act in a state, the legal moves, and applying a move."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import lcm
from random import Random
from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError
from gamedsl.engine.facts.move_making import chance_move, choice_move, make_move, pass_move
from gamedsl.engine.moves import Move
from gamedsl.engine.notation import chance_text
from gamedsl.engine.play.advance import advance, weights
from gamedsl.engine.play.drawing_moves import faults, generated
from gamedsl.engine.state import Choice, State
from gamedsl.engine.values import Slots, bits
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset
from gamedsl.language.source import NOWHERE, Diagnostic, GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine.state import Game


# ------------------------------------------------------------------------------------------------------ who acts


def to_act(state: State) -> tuple[int, ...]:
    queries = state.game.code.blocks[state.block].queries
    match state.terminator:
        case n.SoloDecision():
            return (queries["seat"](state.slots),)
        case n.DecideTogether():
            seats = queries["seats"](state.slots)
            return tuple(dict.fromkeys(seats[m] for m in open_movers(state)))
        case _:
            return ()


def open_movers(state: State) -> list[int]:
    """The players of the part who still have to choose, at a simultaneous choice."""
    done = {mover for mover, _, _ in state.pending}
    return [m for m in bits(state.game.code.blocks[state.block].queries["movers"](state.slots)) if m not in done]


def mover_of(state: State, player: int | None) -> int | None:
    """The player of the part for whom a seat acts here (``player`` None: any seat); None if the seat is not to act."""
    queries = state.game.code.blocks[state.block].queries
    match state.terminator:
        case n.DecideTogether():
            seats = queries["seats"](state.slots)
            mine = [m for m in open_movers(state) if player is None or seats[m] == player]
            return mine[0] if mine else None
        case n.SoloDecision():
            mover: int = queries["mover"](state.slots)
            return mover if player is None or queries["seat"](state.slots) == player else None
        case _:
            return None


# ---------------------------------------------------------------------------------------------------- listing


def _legal(state: State, mover: int, mistakes: tuple[bool, ...]) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The legal moves, each as its schema and arguments. ``mistakes``: whether they are."""
    end = state.terminator
    assert isinstance(end, n.Decide | n.DecideTogether)
    tick = state.game.code.blocks[state.block].tick
    for alt in end.alternatives:
        if state.game.program.schemas[alt.schema].mistake in mistakes:
            for args in state.game.code.schemas[alt.schema].legal(state.slots, mover, tick):  # type: ignore[arg-type]
                yield alt.schema, args


def legal_moves(state: State, player: int | None, mistakes: bool) -> list[Move]:
    mover = mover_of(state, player)
    if mover is None:
        return [m for m, _ in chance_outcomes(state)] if player is None else []
    seat = to_act(state)[0] if player is None else player
    wanted = (False, True) if mistakes else (False,)
    match state.terminator:
        case n.Decide(may_pass=may_pass):
            found = [make_move(state.game, k, seat, args) for k, args in _legal(state, mover, wanted)]
            return found if may_pass is None else [*found, pass_move(seat)]
        case n.DecideTogether():
            return [make_move(state.game, k, seat, args) for k, args in _legal(state, mover, wanted)]
        case n.Choose(names=names):
            source = state.game.code.blocks[state.block].queries["source"](state.slots)
            return [choice_move(state.game, names[i], seat) for i in bits(source)]
        case _:
            return []


def with_mistakes(state: State, player: int | None, moves: list[Move]) -> list[Move]:
    """The legal moves with the mistakes, as ``legal_moves`` lists them. ``moves``: the others. Each alternative of the
    decision has a kind of move of its own."""
    mover, end = mover_of(state, player), state.terminator
    if mover is None or not isinstance(end, n.Decide | n.DecideTogether):
        return moves
    seat = to_act(state)[0] if player is None else player
    mistakes = [make_move(state.game, k, seat, args) for k, args in _legal(state, mover, (True,))]
    places = {alt.schema: k for k, alt in enumerate(end.alternatives)}
    return sorted([*moves, *mistakes], key=lambda m: len(places) if m.schema is None else places[m.schema])


def count_moves(state: State, player: int | None) -> int:
    mover = mover_of(state, player)
    end = state.terminator
    if mover is None or not isinstance(end, n.Decide | n.DecideTogether):
        return len(legal_moves(state, player, False))
    passing = 1 if isinstance(end, n.Decide) and end.may_pass is not None else 0
    return sum(1 for _ in _legal(state, mover, (False,))) + passing


def chance_outcomes(state: State) -> list[tuple[Move, Fraction]]:
    end = state.terminator
    if not isinstance(end, n.Chance):
        return []
    found = weights(state.game, list(state.slots), state.block)
    total = sum(found.values())
    return [(chance_move(end.what, end.names[i]), Fraction(w, total)) for i, w in found.items()]


def propose(state: State, rng: Random) -> Move:
    match state.terminator:
        case n.Chance():
            outcomes = state.chance_outcomes()
            unit = lcm(*(p.denominator for _, p in outcomes))
            at = rng.randrange(unit)
            for move, p in outcomes:
                at -= int(p * unit)
                if at < 0:
                    return move
            raise AssertionError("probabilities sum to 1")
        case n.DecideDrawing():
            return generated(state, rng)
        case _:
            moves = state.legal_moves()
            if not moves:
                raise RulesError("there is nothing to choose here: the game is over")
            return rng.choice(moves)


# ------------------------------------------------------------------------------------------------------ doing


def apply(state: State, move: Move) -> State:
    match state.terminator:
        case n.Decide() if move.kind == "move":
            return _play(state, move)
        case n.Decide(may_pass=target) if move.kind == "pass" and target is not None and _is_turn(state, move):
            s = list(state.slots)
            tick(state, s)
            return advance(state.game, s, target)
        case n.DecideTogether() if move.kind == "move":
            return _choose_secretly(state, move)
        case n.Choose() if move.kind == "choose":
            return _take_value(state, move)
        case n.Chance() if move.kind == "chance":
            return _take_outcome(state, move)
        case n.DecideDrawing() if move.kind == "drawing":
            return _draw(state, move)
        case _:
            raise refused(state, move)


def refused(state: State, move: Move) -> GameDSLError:
    """The error that an illegal move raises, with one diagnostic per reason."""
    reasons = state.why_not(move)
    found = []
    for r in reasons:
        clauses = f" ({', '.join(r.clauses)})" if r.clauses else ""
        found.append(Diagnostic("E0503", f"{move}: {r.message}{clauses}", r.span or NOWHERE))
    return GameDSLError(*(found or [Diagnostic("E0503", f"{move} is not legal here", NOWHERE)]))


def _is_turn(state: State, move: Move) -> bool:
    return move.player in to_act(state)


def tick(state: State, s: Slots) -> None:
    """Runs what the rules do before a ply from this state."""
    happens = state.game.code.blocks[state.block].tick
    if happens is not None:
        happens(s)


def alternative(state: State, move: Move) -> tuple[int, n.Alt] | None:
    """The alternative of the current decision that a move belongs to, and its number."""
    end = state.terminator
    if not isinstance(end, n.Decide | n.DecideTogether):
        return None
    return next(((i, a) for i, a in enumerate(end.alternatives) if a.schema == move.schema), None)


def is_legal(state: State, move: Move, mover: int) -> bool:
    """Whether all guards hold before the move, and no forbidden condition holds after it."""
    assert move.schema is not None
    schema, code = state.game.program.schemas[move.schema], state.game.code.schemas[move.schema]
    if len(move.args) != len(schema.params) or not code.fits(state.slots, mover, *move.args):
        return False
    if not code.forbids:
        return True
    s = list(state.slots)
    tick(state, s)
    code.effect(s, mover, *move.args)
    return not any(forbid(s, mover, *move.args) for forbid in code.forbids)


def _play(state: State, move: Move) -> State:
    mover, chosen = mover_of(state, move.player), alternative(state, move)
    if mover is None or chosen is None or move.player is None or not is_legal(state, move, mover):
        raise refused(state, move)
    alt = chosen[1]
    s = list(state.slots)
    tick(state, s)
    carry_out(state.game, s, alt, mover, move.args)
    return advance(state.game, s, alt.target)


def carry_out(game: Game, s: Slots, alt: n.Alt, mover: int, args: tuple[int, ...]) -> None:
    """Executes a move, or stores its arguments in registers where its effect continues in a block."""
    if alt.registers:
        for var, value in zip(alt.registers, (mover, *args), strict=True):
            s[game.code.offsets[var.index]] = value
    else:
        game.code.schemas[alt.schema].effect(s, mover, *args)


def _choose_secretly(state: State, move: Move) -> State:
    mover, chosen = mover_of(state, move.player), alternative(state, move)
    if mover is None or chosen is None or move.player is None or not is_legal(state, move, mover):
        raise refused(state, move)
    pending: list[Choice] = sorted([*state.pending, (mover, chosen[0], move.args)])
    if len(open_movers(state)) > 1:
        return state.game.make_state(state.block, state.slots, tuple(pending))
    end = state.terminator
    assert isinstance(end, n.DecideTogether)
    s = list(state.slots)
    tick(state, s)
    for who, number, args in pending:
        carry_out(state.game, s, end.alternatives[number], who, args)
    return advance(state.game, s, end.target)


def _take_value(state: State, move: Move) -> State:
    end = state.terminator
    assert isinstance(end, n.Choose)
    queries = state.game.code.blocks[state.block].queries
    if _is_turn(state, move):
        for i in bits(queries["source"](state.slots)):
            if state.game.notation.choice_text(end.names[i]) == move.text:
                s = list(state.slots)
                slot = queries["slot"](s)
                tick(state, s)
                s[slot] = i + offset(end.var.type)
                return advance(state.game, s, end.target)
    raise refused(state, move)


def _take_outcome(state: State, move: Move) -> State:
    end = state.terminator
    assert isinstance(end, n.Chance)
    for i in weights(state.game, list(state.slots), state.block):
        if chance_text(end.what, end.names[i]) == move.text:
            s = list(state.slots)
            s[state.game.code.offsets[end.result.index]] = i + offset(end.result.type)
            return advance(state.game, s, end.target)
    raise refused(state, move)


def _draw(state: State, move: Move) -> State:
    end = state.terminator
    assert isinstance(end, n.DecideDrawing)
    if not _is_turn(state, move) or faults(state, move):
        raise refused(state, move)
    s = list(state.slots)
    tick(state, s)
    slot = state.game.code.offsets[end.var.index]
    s[slot] = (*s[slot], *move.drawing)
    return advance(state.game, s, end.target)
