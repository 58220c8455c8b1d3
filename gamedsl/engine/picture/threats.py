"""Threats that a ruleset's own guards define.

Where no move that is offered may leave a condition behind (in every guard "after this: not ..."), and the condition holds
already, the player to move is threatened. The pieces for which it holds are its support.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Literal

from gamedsl.engine import NotKnown, codes_of, evaluate_at
from gamedsl.engine.picture.picture import BARE, Place, Spot
from gamedsl.engine.picture.supports import supports
from gamedsl.language.core import free_locals, looks_ahead, substitute, walk
from gamedsl.language.core import nodes as n
from gamedsl.language.source import GameDSLError

if TYPE_CHECKING:
    from gamedsl.engine import Game, State


@lru_cache(maxsize=256)
def threats_at(game: Game, block: int) -> tuple[n.Expr, ...]:
    """The conditions on the player to move that no move offered at a stop may leave behind."""
    end = game.program.blocks[block].end
    if not isinstance(end, n.Decide) or not end.alternatives:
        return ()
    each = [_forbidden_after(game.program.schemas[alt.schema], end.mover) for alt in end.alternatives]
    return tuple(e for e in each[0] if all(e in others for others in each[1:]))


def _forbidden_after(schema: n.Schema, mover: n.Expr) -> list[n.Expr]:
    """The conditions that a kind of move must not leave, if they depend on its player and not on the move."""
    found = [g.condition for g in schema.forbids]
    for guard in schema.guards:
        match guard.condition:
            case n.AfterE(schema=tried, body=n.Op1(op="not", operand=body)) if tried == schema.index:
                found.append(body)
            case n.AfterE(schema=tried, body=body) if tried == schema.index:
                found.append(n.Op1("not", body, n.BoolT()))
    own = {schema.me.id: mover}
    return [substitute(e, own) for e in found if set(free_locals(e)) == own.keys() and not _is_of_history(e)]


def _is_of_history(e: n.Expr) -> bool:
    """Whether a condition tries moves or compares with earlier positions."""
    return looks_ahead(e) or any(isinstance(x, n.Noted) for x in walk(e))


def mark_threats(state: State, part: n.Part, places: tuple[str, ...], spots: dict[Place, Spot]) -> None:
    """Marks the threatened pieces of the player to move, and the others that take part in the threat. ``state``: as a seat
    sees it."""
    end = state.terminator
    if state.is_terminal or state.part != part.index or not isinstance(end, n.Decide):
        return
    for condition in threats_at(state.game, state.block):
        with suppress(NotKnown, GameDSLError):
            if not evaluate_at(state, condition):
                continue
            mover = evaluate_at(state, end.mover)
            for place in {place for support in supports(state, condition, places) for place in support}:
                threat: Literal["at", "from"] = "at" if _is_of(state, part, mover, place) else "from"
                spots[place] = replace(spots.get(place, BARE), threat=threat)


def _is_of(state: State, part: n.Part, mover: int, place: Place) -> bool:
    """Whether a piece of a player is on a place."""
    domain, index = place
    for var in state.game.program.variables:
        if var.part != part.index or not isinstance(var.type, n.SetT) or var.type.domain.name != domain:
            continue
        code = codes_of(state, var)[mover] if is_owned(var, part) else 0
        if isinstance(code, int) and code >> index & 1:
            return True
    return False


def is_owned(var: n.Var, part: n.Part) -> bool:
    """Whether a variable has a set of pieces for each player of a part."""
    return bool(var.keys) and var.keys[0] == part.players and var.slots == part.players.size
