"""Whether a kind of move is ever legal."""

from __future__ import annotations

import numpy as np

from gamedsl.engine import RulesError, State, mover_of
from gamedsl.lab.base import Status
from gamedsl.lab.claims.state_space import Found, StateSpace, status_of_search
from gamedsl.lab.explore import NativeStore
from gamedsl.language.core import nodes as n


def judge_used(space: StateSpace, claim: n.Used) -> Found:
    for name in claim.moves:
        schemas = {s.index for s in space.graph.game.program.schemas if s.name == name and claim.part in (0, s.part)}
        found = status_of_search(space, first_use(space, schemas), "it is legal")
        if found[0] == Status.VIOLATED and not all_moves_known(space):
            return (
                Status.UNKNOWN,
                f"{name} is legal in none of the states examined; there are too many moves to try all",
                None,
            )
        if found[0] != Status.PROVED:
            return found[0], f"{name} is legal {found[1]}", None
    return found


def all_moves_known(space: StateSpace) -> bool:
    """Whether the legal moves of all states were examined."""
    return not isinstance(space.graph.store, NativeStore) or space.first_moves[1]


def first_use(space: StateSpace, schemas: set[int]) -> int | None:
    """Returns the first state in which a move of these kinds is legal (mistakes count); None if there is none."""
    game = space.graph.game
    if not any(game.program.schemas[k].mistake for k in schemas) and isinstance(space.graph.store, NativeStore):
        return min((i for k, i in enumerate(map(int, space.first_moves[0])) if k in schemas and i >= 0), default=None)
    stops = {
        b.index for b in game.program.blocks if any(a.schema in schemas for a in getattr(b.end, "alternatives", ()))
    }
    there = np.flatnonzero(np.isin(space.graph.blocks(), list(stops)))
    for i in map(int, there):
        space.clock.check()
        if _offers(space.graph.state(i), schemas):
            return i
    return None


def _offers(state: State, schemas: set[int]) -> bool:
    """Whether a move of these kinds is legal in a state; False if listing them breaks a rule, which the search
    reports.
    """
    end = state.terminator
    assert isinstance(end, n.Decide | n.DecideTogether)
    mover = mover_of(state, None)
    code = state.game.code
    mine = [a.schema for a in end.alternatives if a.schema in schemas]
    tick = code.blocks[state.block].tick
    if mover is None:
        return False
    try:
        return any(True for k in mine for _ in code.schemas[k].legal(list(state.slots), mover, tick))
    except RulesError:
        return False
