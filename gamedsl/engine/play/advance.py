"""Advances a game to its next stop: a decision, a chance event or the end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gamedsl.engine.errors import RulesError
from gamedsl.engine.state import Choice, PartEnd, State
from gamedsl.engine.values import Slots, Value, bits
from gamedsl.language.core import nodes as n
from gamedsl.language.core import offset

if TYPE_CHECKING:
    from gamedsl.engine.state import Game

MOST_BLOCKS = 1_000_000
MANY_BLOCKS = 1024  # after so many, their states are compared


def advance(game: Game, s: Slots, block: int) -> State:
    """The state at the first stop from this block on. Modifies ``s``, which holds the values of that state afterward.

    Raises ``RulesError`` if a rule fails, if nobody can act at a stop, or if no stop is reached.
    """
    blocks, code = game.program.blocks, game.code.blocks
    played, going_on = game.parts_played, game.parts_played[blocks[block].part]
    entered: set[int] = set()
    ended: list[PartEnd] = []
    left, rounds = MOST_BLOCKS, _Rounds()
    while left:
        here = blocks[block]
        if here.part:
            entered |= played[here.part] - going_on
        going_on = game.parts_after[block]
        run = code[block].run
        last = game.make_state(block, tuple(s)) if block in game.endings else None
        if run is not None:
            run(s)
        if last is not None:
            ended.append(PartEnd(here.part, last, _winners(game, s, block)))
        further = block_after(game, s, block)
        if further is None:
            return game.make_state(block, tuple(s), (), frozenset(entered), tuple(ended))
        block, left = further, left - 1
        if left <= MOST_BLOCKS - MANY_BLOCKS:
            left = rounds.left(left, block, s)
    raise RulesError("the game goes on forever without a decision", game.program.blocks[block].end.span)


class _Rounds:
    """Notices blocks that come back to an earlier state (Brent's algorithm): without a decision they repeat themselves."""

    def __init__(self) -> None:
        self._kept: tuple[int, tuple[Value, ...]] | None = None
        self._kept_left = 0

    def left(self, left: int, block: int, s: Slots) -> int:
        """How many of the blocks that are left have to be run: whole rounds change nothing."""
        now, done = (block, tuple(s)), MOST_BLOCKS - left
        if now == self._kept:
            return left % (self._kept_left - left)
        if done & (done - 1) == 0:
            self._kept, self._kept_left = now, left
        return left


def _winners(game: Game, s: Slots, block: int) -> tuple[str, ...]:
    """The names of the winners at a block that ends a part, or the game."""
    var = game.endings[block]
    if var is None:
        return tuple(game.players[i] for i in bits(game.code.blocks[block].queries["winners"](s)))
    assert isinstance(var.type, n.SetT)
    value = s[game.code.offsets[var.index]]
    assert isinstance(value, int)
    return tuple(var.type.domain.names[i] for i in bits(value))


def resume(game: Game, s: Slots, block: int, pending: tuple[Choice, ...] = ()) -> State:
    """The state at the end of a block whose statements have been executed, or at the first stop after it."""
    further = block_after(game, s, block)
    return game.make_state(block, tuple(s), pending) if further is None else advance(game, s, further)


def block_after(game: Game, s: Slots, block: int) -> int | None:
    """The block to continue with at the end of this one, whose statements have been executed; None if it is a stop."""
    end, queries = game.program.blocks[block].end, game.code.blocks[block].queries
    match end:
        case n.Goto(target):
            return target
        case n.BranchT():
            return int(queries["next"](s))
        case n.Decide(stuck=stuck) if not can_move(game, s, block, queries["mover"](s)):
            if stuck is None and end.may_pass is None:
                raise RulesError(
                    f"{game.players[queries['seat'](s)]} has no legal move, and no rule says what happens then",
                    end.span,
                )
            return stuck
        case n.DecideTogether(target=target):
            return _check_together(game, s, block, target)
        case n.Choose() if not queries["source"](s):
            raise RulesError(f"there is no value to choose for {end.var.name}", end.span)
        case n.Chance() if not any(weights(game, s, block).values()):
            raise RulesError("no outcome is possible here", end.span)
    return None


def _check_together(game: Game, s: Slots, block: int, target: int) -> int | None:
    movers = bits(game.code.blocks[block].queries["movers"](s))
    for mover in movers:
        if not can_move(game, s, block, mover):
            seat = game.code.blocks[block].queries["seats"](s)[mover]
            message = f"{game.players[seat]} has no legal move, and no rule says what happens then"
            raise RulesError(message, game.program.blocks[block].end.span)
    return None if movers else target


def can_move(game: Game, s: Slots, block: int, mover: int) -> bool:
    """Whether there is any legal move; mistakes do not count."""
    end = game.program.blocks[block].end
    assert isinstance(end, n.Decide | n.DecideTogether)
    tick = game.code.blocks[block].tick
    for alt in end.alternatives:
        if not game.program.schemas[alt.schema].mistake:
            for _ in game.code.schemas[alt.schema].legal(s, mover, tick):
                return True
    return False


def weights(game: Game, s: Slots, block: int) -> dict[int, int]:
    """The weights of the possible chance outcomes here, by the number of the outcome in ``over``."""
    end, queries = game.program.blocks[block].end, game.code.blocks[block].queries
    assert isinstance(end, n.Chance)
    low = offset(end.local.type)
    found = {i: queries["weight"](s, i + low) for i in bits(queries["over"](s))}
    if any(w < 0 for w in found.values()):
        raise RulesError("an outcome has a weight below 0", end.span)
    return {i: w for i, w in found.items() if w}
