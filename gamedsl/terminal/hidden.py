"""Whether what a picture would show is known to the person who looks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from gamedsl.core.nodes import CallF, Expr, Get, Noted, Program, StackOp, Var
from gamedsl.core.traverse import free_locals, walk
from gamedsl.engine.observe import seen_slots

if TYPE_CHECKING:
    from gamedsl.engine.state import State

Seen = Mapping[int, int]


def has_secrets(program: Program) -> bool:
    """Is any variable kept from somebody?"""
    return any(v.seen != "all" for v in program.variables)


def may_see(state: State, viewer: int | None, e: Expr, locals: Seen) -> bool:
    """May the person in a seat (None: everybody at once) see the value of an expression?

    What reads another's variable, or reads a hidden one in a way that can't be followed, is not shown.
    """
    return all(_open(state, viewer, x, locals) for x in walk(e))


def _open(state: State, viewer: int | None, e: Expr, locals: Seen) -> bool:
    match e:
        case Get(var=var, keys=keys) | StackOp(var=var, keys=keys):
            return _may_read(state, viewer, var, keys, locals)
        case Noted(history=var):
            return var.seen == "all"
        case CallF(function=index):
            return not _reads_hidden(state.game.program, index, set())
        case _:
            return True


def _may_read(state: State, viewer: int | None, var: Var, keys: tuple[Expr, ...], locals: Seen) -> bool:
    if var.seen == "all":
        return True
    if var.seen == "nobody" or viewer is None:
        return False
    part = state.game.program.parts[var.part]
    for domain, key in zip(var.keys, keys, strict=True):
        if domain == part.players:
            if not set(free_locals(key)) <= set(locals):
                return False
            owner = state.evaluate(key, locals)
            return state.evaluate(part.seats[owner]) == viewer
    return False


def _reads_hidden(program: Program, index: int, seen: set[int]) -> bool:
    """Does a function read a hidden variable, itself or through others?"""
    if index in seen:
        return False
    seen.add(index)
    for e in walk(program.functions[index].body):
        match e:
            case Get(var=var) | StackOp(var=var) | Noted(history=var) if var.seen != "all":
                return True
            case CallF(function=inner) if _reads_hidden(program, inner, seen):
                return True
            case _:
                pass
    return False


def known_slots(state: State, viewer: int | None, var: Var) -> list[bool]:
    """Per slot of a variable, whether the person may see it."""
    if viewer is None:
        return [var.seen == "all"] * var.slots
    return seen_slots(state, var, viewer)
